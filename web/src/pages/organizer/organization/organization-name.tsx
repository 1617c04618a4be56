/** An organization's name with its logo, or else with its colour. */

import type { Organization } from "../../../api/types.ts";
import { accentColours } from "../../../theme/accent.ts";
import style from "./organizations.module.css";

export function OrganizationName({ organization: { name, branding } }: { organization: Organization }) {
  const colour = accentColours(branding.accentColor ?? "")?.fill;
  return (
    <span className={style.name}>
      {branding.logoUrl ? (
        <img src={branding.logoUrl} alt="" width="36" height="36" className={style.logo} />
      ) : (
        <span className={style.dot} style={colour ? { background: colour } : undefined} />
      )}
      {name}
    </span>
  );
}
