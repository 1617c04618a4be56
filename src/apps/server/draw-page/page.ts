/** The draw page's HTML; its script fills in the verdict, the facts and the rank, since the browser is who computes them. */

import { html } from "hono/html";
import { type Html, pageFrame } from "../page-frame.ts";

export function drawPage(): Html {
  return pageFrame({
    title: "SnapRace · Check a draw",
    description: "A lottery's draw, done again in your browser from its proof.",
    path: "/draw",
    style: "/draw.css",
    content: html`<div class="intro">
        <h1>Check the draw</h1>
        <p>A lottery's places go by a computation that anybody can repeat. Here your own browser repeats it, from the
        proof that was published with the results.</p>
        <noscript><p class="panel">Your browser does not run scripts here, so it can't compute the draw. Take the script
        below and run it yourself.</p></noscript>
      </div>
      <div class="outcome">${verdict()} ${ownRank()}</div>
      ${facts()} ${fileChoice()} ${elsewhere()}
      <script type="module" src="/draw.js"></script>`,
  });
}

function verdict(): Html {
  return html`<section class="verdict" id="verdict" hidden>
    <p class="band"></p>
    <div role="status">
      <h2></h2>
      <p class="sentence"></p>
    </div>
    <progress aria-label="How far it is" hidden></progress>
    <p class="again" hidden><button type="button">Look again</button></p>
  </section>`;
}

function ownRank(): Html {
  return html`<form class="panel" id="mine" hidden>
    <h2><label for="request">Your request's number</label></h2>
    <p>You got it when you entered. It does not leave this page.</p>
    <div class="ask">
      <input id="request" required maxlength="64" autocomplete="off" autocapitalize="characters" spellcheck="false"
        placeholder="01JD2QX5Y8V6M3T9K7R4W1ZP0N">
      <button>Show my rank</button>
    </div>
    <p class="rank" role="status"></p>
  </form>`;
}

function facts(): Html {
  return html`<section class="panel" id="facts" aria-labelledby="facts-title" hidden>
    <h2 id="facts-title"></h2>
    <p></p>
    <dl></dl>
  </section>`;
}

function fileChoice(): Html {
  return html`<section class="panel" id="file" aria-labelledby="file-title" hidden>
    <h2 id="file-title">Check a proof file</h2>
    <p>It stays on your device.</p>
    <label class="drop"><strong>Choose a file</strong>, or drop it here
      <input type="file" accept=".json,application/json"></label>
  </section>`;
}

function elsewhere(): Html {
  return html`<section class="panel" id="elsewhere" aria-labelledby="elsewhere-title">
    <h2 id="elsewhere-title">Check it without us</h2>
    <p>This page comes from whoever held the draw. If you would rather not trust it, take the proof and
    <a href="/verify-draw.mjs">the script</a>, which is short enough to read, and run it on your own machine:</p>
    <pre><code>node verify-draw.mjs proof.json</code></pre>
    <p><a href="/verify-draw.mjs" download>Download the script</a>
    <a id="proof" hidden download>Download the proof</a>
    <a id="entrants" hidden download>Download the list of entrants</a></p>
  </section>`;
}
