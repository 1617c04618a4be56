/** A button that says what will happen and asks first; then does it, and says that it is done. */

import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/dialog.tsx";
import { Trouble } from "../../../ui/states.tsx";
import { toast } from "../../../ui/toast.ts";
import { lookAgain } from "./live-entry.ts";

type Question = {
  label: string;
  title: string;
  text: string;
  /** What the button says that does it. */
  confirm: string;
  danger?: boolean;
  perform: () => Promise<unknown>;
  /** The sentence when it is done. */
  done: string;
};

type ConfirmedButtonProps = Question & {
  eventId: string;
  icon?: ReactNode;
  /** Shows the icon alone. */
  iconOnly?: boolean;
  look?: "main" | "plain" | "quiet" | "danger";
  size?: "small" | "medium";
  /** Fields that belong to the question. */
  children?: ReactNode;
  onDone?: () => void;
};

export function ConfirmedButton(props: ConfirmedButtonProps) {
  const { eventId, icon, iconOnly, look, size, children, onDone, label } = props;
  const [isOpen, setOpen] = useState(false);
  // What was asked stays as it is while its answer changes the page behind it.
  const [asked, setAsked] = useState<Question>(props);
  const action = useMutation({
    mutationFn: () => asked.perform(),
    onSuccess: () => {
      setOpen(false);
      toast(asked.done);
      onDone?.();
      return lookAgain(eventId);
    },
  });
  const ask = () => {
    action.reset();
    setAsked(props);
    setOpen(true);
  };
  return (
    <>
      {iconOnly ? (
        <IconButton label={label} look={look ?? "quiet"} size={size} onClick={ask}>
          {icon}
        </IconButton>
      ) : (
        <Button look={look} size={size} icon={icon} onClick={ask}>
          {label}
        </Button>
      )}
      <Confirm
        open={isOpen}
        onCancel={() => setOpen(false)}
        onConfirm={() => action.mutate()}
        title={asked.title}
        description={asked.text}
        confirm={asked.confirm}
        danger={asked.danger ?? false}
        busy={action.isPending}
      >
        {children}
        {action.error && <Trouble error={action.error} />}
      </Confirm>
    </>
  );
}
