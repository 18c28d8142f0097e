"use strict";
// Everything works without this file. It adds keyboard shortcuts, local times and a copy button.
(function () {
  var rows = Array.prototype.slice.call(document.querySelectorAll("tr.row"));
  var current = -1;

  function select(index) {
    if (!rows.length) return;
    if (current >= 0) rows[current].removeAttribute("data-current");
    current = Math.max(0, Math.min(rows.length - 1, index));
    rows[current].setAttribute("data-current", "");
    rows[current].scrollIntoView({ block: "nearest" });
    var link = rows[current].querySelector("a");
    if (link) link.focus({ preventScroll: true });
  }

  // Ticks the current row, or unticks it; false if there is none.
  function tick(isTicked) {
    var box = current >= 0 && rows[current].querySelector("input[type=checkbox]");
    if (!box) return false;
    box.checked = isTicked === undefined ? !box.checked : isTicked;
    box.dispatchEvent(new Event("change"));
    return true;
  }

  // One menu is open at a time.
  function closeMenus(except) {
    document.querySelectorAll("details.menu[open]").forEach(function (menu) {
      if (menu !== except) menu.open = false;
    });
  }

  function openMenu(menu, fields) {
    if (!menu) return;
    closeMenus(menu);
    menu.open = true;
    var field = menu.querySelector(fields);
    if (field) field.focus();
  }

  // On the page of a group, opens the menu. In the list, decides about the selected rows, else about the current one.
  function decide(name) {
    var several = document.getElementById("several");
    if (!several) {
      var form = document.querySelector("details.menu form[action$='/" + name + "']");
      return openMenu(form && form.closest("details"), "input:not([type=hidden]),select,textarea,button");
    }
    if (!document.querySelector("input[form=several]:checked") && !tick(true)) return;
    var button = several.querySelector("button[value='" + name + "']"), menu = button.closest("details");
    if (menu) openMenu(menu, "[name=to]");
    else button.click();
  }

  function toggleHelp() {
    var shown = document.querySelector(".keys");
    if (shown) return shown.remove();
    var box = document.createElement("section");
    box.className = "card keys";
    box.setAttribute("role", "status");
    var list = document.createElement("dl");
    [["j k", "next, previous row"], ["o", "open row"], ["x", "select row"],
      ["e m a", "resolve, ignore, assign: the group, the selected rows or the current row"], ["/", "search"],
      ["[ ]", "older, newer report; previous, next group"], ["t", "open all threads"],
      ["c", "copy the report or group"], ["Esc", "close the menu or these shortcuts"],
      ["?", "show or hide these shortcuts"]
    ].forEach(function (pair) {
      var key = document.createElement("dt"), words = document.createElement("dd");
      key.textContent = pair[0];
      words.textContent = pair[1];
      list.append(key, words);
    });
    box.append(list);
    document.body.append(box);
  }

  function copyReport() { copyFrom(document.querySelector("a[data-copy]")); }

  // Copies the text that a link leads to.
  function copyFrom(link) {
    if (!link || !navigator.clipboard) return;
    fetch(link.href).then(function (answer) { return answer.text(); }).then(function (text) {
      return navigator.clipboard.writeText(text);
    }).then(function () { tell("Copied the " + link.dataset.copy); }, function () { tell("Could not copy. Open the text instead."); });
  }

  // Shows the result of a shortcut or a button.
  function tell(words) {
    var place = document.querySelector("[data-told]");
    if (place) place.textContent = words;
  }

  // The frame or thread that the address names may be inside a closed section.
  function showTarget() {
    var target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (var part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    target.scrollIntoView({ block: "nearest" });
  }

  function follow(relation) {
    var link = document.querySelector("a[rel='" + relation + "']");
    if (link) link.click();
  }

  function leave() {
    // A stack that is shown because the pointer is over its title.
    var title = document.querySelector(".name:hover:has(.peek):not([data-closed])");
    if (title) {
      title.setAttribute("data-closed", "");
      title.addEventListener("mouseleave", function () { title.removeAttribute("data-closed"); }, { once: true });
      return;
    }
    var box = document.querySelector(".keys"), menu = document.querySelector("details.menu[open]");
    if (box) return box.remove();
    if (!menu) return document.activeElement && document.activeElement.blur();
    menu.open = false;
    menu.querySelector("summary").focus();
  }

  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return leave();
    var isTicked = /^(checkbox|radio)$/.test(event.target.type);
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && !isTicked) return;
    switch (event.key) {
      case "j": select(current + 1); break;
      case "k": select(current - 1); break;
      case "o":
        if (current >= 0) { var link = rows[current].querySelector("a"); if (link) link.click(); }
        break;
      case "x": tick(); break;
      case "e": decide("resolve"); break;
      case "m": decide("ignore"); break;
      case "a": decide("assign"); break;
      case "t":
        document.querySelectorAll("details.report").forEach(function (part) { part.open = true; });
        break;
      case "c": copyReport(); break;
      case "[": follow("prev"); break;
      case "]": follow("next"); break;
      case "/": {
        // A page's own search comes before the one of all pages.
        var field = document.querySelector("main input[name=q]") || document.querySelector("input[name=q]");
        if (field) field.focus();
        break;
      }
      case "?": toggleHelp(); break;
      default: return;
    }
    event.preventDefault();
  });

  document.addEventListener("toggle", function (event) {
    if (event.target.open && event.target.matches("details.menu")) closeMenus(event.target);
  }, true);
  document.addEventListener("click", function (event) {
    var box = document.querySelector(".keys");
    closeMenus(event.target.closest("details.menu"));
    if (box && !box.contains(event.target)) box.remove();
  });

  // Shows the progress of an upload, then replaces the page's content with the server's response.
  function upload(form) {
    var request = new XMLHttpRequest(), bar = document.createElement("progress");
    var button = form.querySelector("button");
    bar.max = 1;
    bar.setAttribute("aria-label", "Upload");
    button.disabled = true;
    button.textContent = "Uploading…";
    form.append(bar);
    request.upload.addEventListener("progress", function (event) {
      if (!event.lengthComputable) return;
      bar.value = event.loaded / event.total;
      if (event.loaded === event.total) button.textContent = "Processing…";
    });
    request.addEventListener("load", function () {
      var page = new DOMParser().parseFromString(request.responseText, "text/html");
      var main = page.querySelector("main");
      if (!main) return fail();
      document.querySelector("main").replaceWith(main);
      document.title = page.title;
      main.focus();
    });
    request.addEventListener("error", fail);
    request.open("POST", form.action);
    request.send(new FormData(form));

    function fail() {
      bar.remove();
      button.disabled = false;
      button.textContent = "Try again";
      var note = form.querySelector("[role=alert]") || document.createElement("p");
      note.className = "message";
      note.setAttribute("role", "alert");
      note.textContent = "The upload failed. Is the server running?";
      form.append(note);
    }
  }

  // What is typed into a field is the choice beside it.
  document.querySelectorAll("input[data-choice]").forEach(function (field) {
    field.addEventListener("input", function () {
      var choice = field.parentElement.querySelector("input[type=radio]");
      if (choice) choice.checked = true;
    });
  });

  document.querySelectorAll("form.drop").forEach(function (form) {
    form.addEventListener("dragover", function (event) { event.preventDefault(); });
    form.addEventListener("drop", function (event) {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      form.querySelector("input[type=file]").files = event.dataTransfer.files;
      form.requestSubmit();
    });
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      upload(form);
    });
  });

  if (navigator.clipboard) document.querySelectorAll("a[data-copy]").forEach(function (link) {
    var button = document.createElement("button"), row = link.parentElement;
    button.className = "small";
    button.textContent = "Copy " + link.dataset.copy;
    button.addEventListener("click", function () { copyFrom(link); });
    row.append(button, " ");
  });
  // One place for the results of all of them.
  document.querySelectorAll(".links").forEach(function (row) {
    if (!row.querySelector("button")) return;
    var told = document.createElement("span");
    told.className = "copied small";
    told.setAttribute("role", "status");
    told.setAttribute("data-told", "");
    row.append(told);
  });
  // Wide screens show the charts at once; browsers whose styles cannot open them need help.
  document.querySelectorAll("details.figures").forEach(function (part) {
    if (!CSS.supports("selector(::details-content)") && matchMedia("(min-width:38.01rem)").matches) part.open = true;
  });
  // Looks for the first report, and leaves the page alone until there is one.
  if (document.querySelector("[data-waiting]")) setInterval(function () {
    fetch("/").then(function (answer) { return answer.text(); }).then(function (text) {
      if (!text.includes(" data-waiting>")) location.reload();
    }).catch(function () {});
  }, 5000);
  window.addEventListener("hashchange", showTarget);
  showTarget();

  document.querySelectorAll("time").forEach(function (time) {
    var date = new Date(time.dateTime);
    if (!isNaN(date)) time.title += "\n" + date.toLocaleString() + " local time";
  });
  document.querySelectorAll(".search select").forEach(function (menu) {
    menu.addEventListener("change", function () { menu.form.requestSubmit(); });
  });
})();
