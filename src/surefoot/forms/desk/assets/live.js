// Draw the score anew whenever it has changed. Without this script the page loads itself anew.
const PAUSE = 700;

const standing = document.getElementById("standing");
const stopped = document.querySelector(".stopped");
let last = "";

async function follow() {
  try {
    const reply = await fetch(standing.dataset.source);
    const text = await reply.text();
    stopped.hidden = reply.ok;
    if (reply.ok && text !== last) {
      last = text;
      standing.innerHTML = text;
    }
  } catch {
    stopped.hidden = false;
  }
  setTimeout(follow, PAUSE);
}

follow();
