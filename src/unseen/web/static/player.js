// Plays a film whose frames lie one below the other in one picture.
(function () {
  "use strict";
  const PER_SECOND = 5;
  for (const player of document.querySelectorAll(".player")) {
    const canvas = player.querySelector("canvas"), slider = player.querySelector(".frame");
    const button = player.querySelector(".play"), count = Number(player.dataset.frames);
    const film = new Image();
    let timer = null;
    function draw() {
      const height = film.height / count;
      canvas.width = film.width;
      canvas.height = height;
      canvas.getContext("2d").drawImage(film, 0, height * slider.value, film.width, height, 0, 0, film.width, height);
    }
    function play(on) {
      clearInterval(timer);
      timer = on ? setInterval(() => { slider.value = (Number(slider.value) + 1) % count; draw(); }, 1000 / PER_SECOND) : null;
      button.textContent = on ? "Pause" : "Play";
    }
    film.onload = () => {
      draw();
      button.addEventListener("click", () => play(!timer));
      slider.addEventListener("input", () => { play(false); draw(); });
      play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
    };
    film.src = player.dataset.film;
  }
})();
