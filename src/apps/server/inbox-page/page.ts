/** The inbox's HTML: the letters this machine would have sent, newest first, with the sign-in code easy to take. */

import { html } from "hono/html";
import { type Html, pageFrame } from "../page-frame.ts";

export type Letter = { to: string; subject: string; text: string; sentAt: number };

const REFRESH_SECONDS = 5;

// Six digits that stand alone: not a part of a longer number, a date, an amount or an address.
const SIGN_IN_CODE = /(?<![\w/=%&#?.,+-])\d{6}(?![\w/=%-]|[.,]\d)/;
const WEB_ADDRESS = /(https?:\/\/[^\s<>"']*[^\s<>"'.,:;!?)\]}])/;

export function inboxPage(letters: Letter[], { isPaused }: { isPaused: boolean }): Html {
  const newestFirst = letters.toSorted((a, b) => b.sentAt - a.sentAt);
  return pageFrame({
    title: "SnapRace · Inbox",
    description: "The letters that this machine would have sent.",
    path: "/inbox",
    style: "/inbox.css",
    ...(isPaused ? {} : { refreshSeconds: REFRESH_SECONDS }),
    content: html`<h1>Inbox</h1>
      <p class="note">These letters were written, but not sent: without <code>SMTP_URL</code>, SnapRace keeps them here.
      Set <code>SMTP_URL</code>, and real letters go out. This page exists only on this machine; nobody else can open it.</p>
      ${newestFirst.length > 0 ? html`<ol class="letters">${newestFirst.map(letterItem)}</ol>` : emptyInbox()}
      ${refreshLine(isPaused)}`,
  });
}

function letterItem({ to, subject, text, sentAt }: Letter): Html {
  const time = new Date(sentAt).toISOString();
  const code = SIGN_IN_CODE.exec(text)?.[0];
  return html`<li class="panel">
    <article>
      <h2>${subject}</h2>
      <p class="envelope"><span>To <strong>${to}</strong></span>
        <time datetime="${time}">${time.slice(0, 10)} ${time.slice(11, 19)} UTC</time></p>
      ${code ? html`<p class="code"><span>Sign-in code</span> <code>${code}</code></p>` : ""}
      <p class="text">${text.split(WEB_ADDRESS).map((part, index) => (index % 2 === 1 ? webLink(part) : part))}</p>
    </article>
  </li>`;
}

function webLink(address: string): Html {
  return html`<a href="${address}" rel="noreferrer">${address}</a>`;
}

function emptyInbox(): Html {
  return html`<section class="panel empty" aria-labelledby="empty">
    <h2 id="empty">No letters yet</h2>
    <p>Sign in with an e-mail address: the letter with the code appears here within ${REFRESH_SECONDS} seconds.</p>
  </section>`;
}

function refreshLine(isPaused: boolean): Html {
  return isPaused
    ? html`<p class="refresh">Stands still. <a href="/inbox">Look for new letters every ${REFRESH_SECONDS} seconds</a></p>`
    : html`<p class="refresh">Looks for new letters every ${REFRESH_SECONDS} seconds. <a href="/inbox?paused">Stand still</a></p>`;
}
