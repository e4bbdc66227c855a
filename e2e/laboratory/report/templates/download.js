// A button under each figure saves its charts as SVG, in the colours that the page has now.
const PREFIX = /var\((--[a-z0-9-]+)\)/g;
for (const figure of document.querySelectorAll("figure")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Save as SVG";
  button.addEventListener("click", () => {
    const shown = [...figure.querySelectorAll("svg.chart")].filter((chart) => chart.checkVisibility());
    for (const chart of shown) save(chart, nameOf(chart));
  });
  figure.append(button);
}

/** @param {Element} chart */
function nameOf(chart) {
  const titles = [chart.closest("section")?.querySelector("h2"), chart.parentElement?.querySelector("h4")];
  const words = titles.map((title) => title?.textContent ?? "").join(" ");
  return `${words.replace(/[^A-Za-z0-9.]+/g, "-").replace(/^-|-$/g, "")}.svg`;
}

/** @param {Element} chart @param {string} name */
function save(chart, name) {
  const style = getComputedStyle(document.documentElement);
  const text = new XMLSerializer().serializeToString(chart);
  const coloured = text.replace(PREFIX, (_, property) => style.getPropertyValue(property).trim());
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([coloured], { type: "image/svg+xml" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
