/** The watermark zones as numbers, in percent of the picture. */

import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../../texts/use-texts.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Spoken } from "../../../ui/spoken.tsx";
import style from "./zone-field.module.css";
import { withValue, type Zone } from "./zone-geometry.ts";

const SIDES = ["left", "top", "width", "height"] as const;

type ZoneTableProps = {
  zones: Zone[];
  onChange: (zones: Zone[]) => void;
  onChoose: (index: number) => void;
  onRemove: (index: number) => void;
};

type Row = { zone: Zone; index: number };

export function ZoneTable({ zones, onChange, onChoose, onRemove }: ZoneTableProps) {
  const { t } = useTexts("organizer");
  const sides = SIDES.map((side) => ({
    name: `${t(`settings.sides.${side}`)} (%)`,
    cell: ({ zone, index }: Row) => (
      <div className={style.cell}>
        <PercentField
          label={t("settings.sideOfZone", { number: index + 1, side: t(`settings.sides.${side}`) })}
          value={zone[side]}
          onFocus={() => onChoose(index)}
          onChange={(value) => onChange(zones.with(index, withValue(zone, side, value)))}
        />
      </div>
    ),
  }));
  return (
    <DataTable
      caption={t("settings.zoneTable")}
      rows={zones.map((zone, index) => ({ zone, index }))}
      keyOf={({ index }) => String(index)}
      columns={[
        { name: t("settings.zone"), cell: ({ index }) => index + 1, figures: true },
        ...sides,
        {
          name: <Spoken>{t("runners.actions")}</Spoken>,
          cell: ({ index }) => (
            <IconButton label={t("settings.removeZone", { number: index + 1 })} onClick={() => onRemove(index)}>
              <Trash2 aria-hidden />
            </IconButton>
          ),
        },
      ]}
    />
  );
}

type PercentFieldProps = { label: string; value: number; onChange: (value: number) => void; onFocus: () => void };

/** Shows what is being typed until one leaves it, and what it became afterwards. */
function PercentField({ label, value, onChange, onFocus }: PercentFieldProps) {
  const [typed, setTyped] = useState<string>();
  const change = (text: string) => {
    setTyped(text);
    const number = Number(text);
    if (text.trim() !== "" && number >= 0 && number <= 100) onChange(number / 100);
  };
  return (
    <TextField
      label={label}
      hideLabel
      type="number"
      inputMode="decimal"
      min={0}
      max={100}
      step={0.1}
      value={typed ?? String(Math.round(value * 1000) / 10)}
      onChange={(event) => change(event.target.value)}
      onFocus={onFocus}
      onBlur={() => setTyped(undefined)}
    />
  );
}
