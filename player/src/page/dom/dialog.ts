/** A dialog of its own, closed by its button, Escape, or a click beside it; the focus goes back to where it was. */
export function openDialog(title: string, content: readonly (Node | string)[]): HTMLDialogElement {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-label", title);
  const heading = document.createElement("h2");
  heading.textContent = title;
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  dialog.append(heading, ...content, close);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && !isWithin(event, dialog.getBoundingClientRect())) {
      dialog.close();
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** What is beside a dialog is the dialog, too, to a click. */
function isWithin({ clientX, clientY }: MouseEvent, { left, right, top, bottom }: DOMRect): boolean {
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}
