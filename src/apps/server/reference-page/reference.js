/** Makes the reference quicker to use: a filter over the operations, buttons that copy, contents that close after a choice. */

const contents = document.querySelector("#contents");

addFilter(contents.querySelector(".filter"));
addCopyButtons();
closeAfterChoice();

function addFilter(box) {
  const input = box.querySelector("input");
  const status = box.querySelector("[role=status]");
  const entries = [...contents.querySelectorAll("[data-operation]")].map((item) => {
    const article = document.getElementById(item.dataset.operation);
    return { item, article, words: article.querySelector("header").textContent.toLowerCase() };
  });
  const apply = () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { item, article, words } of entries) {
      const fits = wanted.every((word) => words.includes(word));
      item.hidden = article.hidden = !fits;
      if (fits) found++;
    }
    for (const group of contents.querySelectorAll("[data-group]")) {
      group.hidden = !group.querySelector("li:not([hidden])");
      document.getElementById(group.dataset.group).hidden = group.hidden;
    }
    status.textContent = wanted.length === 0 ? "" : `${found} of ${entries.length} operations`;
  };
  input.addEventListener("input", apply);
  box.hidden = false;
  // A browser that goes back fills the box again.
  apply();
}

function addCopyButtons() {
  // Browsers offer it on secure pages and on this machine only.
  if (!navigator.clipboard) return;
  for (const example of document.querySelectorAll(".example")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(example.querySelector("pre").textContent);
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2000);
    });
    example.querySelector("figcaption").append(button);
  }
}

function closeAfterChoice() {
  contents.addEventListener("click", (event) => {
    if (event.target.closest("a")) contents.open = false;
  });
}
