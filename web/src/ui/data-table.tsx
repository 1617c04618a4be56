/** Rows and columns that scroll sideways on a phone instead of breaking the page. */

import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import style from "./data-table.module.css";

type Column<Row> = {
  name: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers are set flush right, with figures of one width. */
  figures?: boolean;
  /** Sentences may take several lines. */
  wrap?: boolean;
};

type DataTableProps<Row> = {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  /** On a phone each row becomes a block with the columns' names: for rows with buttons, and those that do not fit. */
  stack?: boolean;
};

export function DataTable<Row>({ caption, columns, rows, keyOf, stack }: DataTableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={style.scroll} aria-label={caption} tabIndex={0}>
      <table className={classes(style.table, stack && style.stack)}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move.
              <th key={i} scope="col" className={classes(column.figures && style.figures)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move.
                <td key={i} className={classes(column.figures && style.figures, column.wrap && style.wrap)}>
                  {stack && (
                    <span className={style.label} aria-hidden>
                      {column.name}
                    </span>
                  )}
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
