import type { ServerConfig } from "../../options/server-config.ts";
import { say } from "../controls/viewer-actions.ts";
import { elementById } from "../dom/elements.ts";
import { hideWithFocus } from "../dom/keep-focus.ts";
import type { Notice } from "../dom/notice.ts";
import { isolated } from "../words/isolated.ts";
import { capitalise } from "../words/units.ts";
import { withFilm } from "./film-menu.ts";
import { type Added, addFilm } from "./film-upload.ts";

const MATTER = "added film";
const NEEDS_TOKEN =
  "Adding a film needs the token: open the address with /unlock that the server printed at its start.";

/** Lets a film be dropped on the page, or chosen: it is packaged by the server, with a bar, and then played. */
export function offerDrop({ takesFilms }: Pick<ServerConfig, "takesFilms">, notice: Notice): void {
  const choose = elementById("add-film", HTMLButtonElement);
  const file = elementById("film-file", HTMLInputElement);
  const add = (added: File | undefined): void => {
    document.body.classList.remove("dropping");
    if (added === undefined) {
      return;
    }
    if (takesFilms) {
      void addAndPlay(added, notice);
    } else {
      notice.show(NEEDS_TOKEN, MATTER);
    }
  };
  choose.hidden = !takesFilms;
  choose.onclick = () => file.click();
  file.onchange = () => {
    add(file.files?.[0]);
    file.value = ""; // else the same file, chosen anew, would be no change
  };
  // Without this the browser would leave the page for the film.
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) {
      event.preventDefault();
      document.body.classList.add("dropping");
    }
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) {
      document.body.classList.remove("dropping");
    }
  });
  document.addEventListener("drop", (event) => {
    if (event.dataTransfer?.types.includes("Files")) {
      event.preventDefault();
      add(event.dataTransfer.files[0]);
    }
  });
}

/** One after the other: while one is packaged there is its bar, and no button for another one. */
async function addAndPlay(file: File, notice: Notice): Promise<void> {
  const choose = elementById("add-film", HTMLButtonElement);
  const panel = elementById("adding", HTMLElement);
  const bar = elementById("adding-progress", HTMLProgressElement);
  const text = elementById("adding-text", HTMLElement);
  if (!panel.hidden) {
    return;
  }
  const cancelling = new AbortController();
  const cancel = elementById("adding-cancel", HTMLButtonElement);
  cancel.onclick = () => cancelling.abort();
  notice.clear(MATTER);
  panel.hidden = false;
  if (document.activeElement === choose) {
    cancel.focus();
  }
  choose.disabled = true;
  let isWaiting = false;
  const show = (step: string, ratio: number | null): void => {
    if (ratio === null) {
      bar.removeAttribute("value");
      text.textContent = capitalise(step);
      if (!isWaiting) {
        say(capitalise(step));
      }
    } else {
      bar.value = ratio;
      text.textContent = `${step}: ${Math.round(100 * ratio)} %`;
    }
    isWaiting = ratio === null;
  };
  show(`sending ${isolated(file.name)}`, 0);
  const added: Added = await addFilm(file, show, cancelling.signal);
  choose.disabled = false;
  hideWithFocus(panel, () => choose.focus());
  if ("film" in added) {
    location.search = withFilm(new URLSearchParams(location.search), added.film);
  } else if (cancelling.signal.aborted) {
    say("Cancelled");
  } else {
    notice.show(added.sentence, MATTER);
  }
}
