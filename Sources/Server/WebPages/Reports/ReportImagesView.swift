internal import CrashModel
internal import CrashService
internal import CrashStore
internal import Identifiers
internal import Rendering
internal import ReportDocument
internal import ServerCore

/// All images of a report with the state of their symbols, the files that were tried, and how to get missing
/// ones. Images that the reader can act on come first.
struct ReportImagesView {
  let stored: StoredReport
  /// The address of this server, for commands.
  let server: String

  private static let mostImages = 300
  private static let mostTried = 8
  private static let longestName = 300

  private struct Entry {
    let image: LoadedImage
    let frames: Int
    let isOwn: Bool

    /// The app's missing images first, then other missing ones with frames, then found ones, then the rest.
    var rank: Int {
      guard frames > 0 else { return 4 }
      switch image.symbols?.verdict {
      case .missing, .damaged, .stripped: return isOwn ? 0 : 1
      case .found: return image.symbols?.isUnverified == true ? 1 : 2
      case .unneeded, nil: return 3
      }
    }
  }

  var list: HTML {
    let report = stored.report
    let summary = ImageSummary(of: report)
    let used = Dictionary(zip(summary.usedIndices, summary.used)) { first, _ in first }
    let entries = report.images.enumerated().map { index, image in
      Entry(image: image, frames: used[index]?.frames ?? 0, isOwn: used[index]?.isOwn ?? false)
    }
    guard !entries.isEmpty else { return .none }
    let sorted = entries.enumerated()
      .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
    let told = sorted.prefix { $0.frames > 0 }.prefix(Self.mostImages)
    let others = sorted.drop { $0.frames > 0 }.prefix(Self.mostImages)
    let left = entries.count - told.count - others.count
    let sentence: HTML =
      summary.sentence.map {
        "<p>\(Self.own(summary))<span class=\"quiet\">Symbols \($0).</span></p>"
      }
      ?? .none
    let rest: HTML =
      left > 0
      ? """
      <p class="quiet">and \(GroupText.count(left, "more image", "more images")), all of them in the \
      <a href="/reports/\(stored.id.inAddress).json">JSON</a></p>
      """ : .none
    let folded: HTML =
      others.isEmpty
      ? .none
      : """
      <details class="report"><summary>\(GroupText.count(others.count, "image", "images")) without frames</summary>
      \(table(Array(others)))</details>
      """
    return "\(sentence)\(told.isEmpty ? .none : table(Array(told)))\(folded)\(rest)\(unloaded)"
  }

  /// Whether symbols for the reader's own code are complete.
  private static func own(_ summary: ImageSummary) -> HTML {
    let own = summary.used.filter { entry in
      entry.isOwn && entry.image.symbols.map { $0.verdict != .unneeded } ?? false
    }
    guard !own.isEmpty else { return .none }
    let found = own.count {
      $0.image.symbols?.verdict == .found && $0.image.symbols?.isUnverified == false
    }
    guard found < own.count else { return "<b class=\"found\">Your code: complete.</b> " }
    let images = GroupText.count(own.count, "image", "images")
    return "<b class=\"missing\">Your code: symbols for \(found) of \(images).</b> "
  }

  private func table(_ entries: [Entry]) -> HTML {
    var table = CardTable([("Image", .text), ("Frames", .number), ("Symbols", .text)])
    for entry in entries { table.add(row(entry)) }
    return "<div class=\"images\">\(table.markup)</div>\n"
  }

  private func row(_ entry: Entry) -> [HTML] {
    let image = entry.image
    let symbols = image.symbols
    var style = symbols?.isUnverified == true ? "missing" : symbols?.verdict.rawValue ?? ""
    // Few system libraries have symbols.
    if !entry.isOwn, style == "missing" || style == "stripped" { style = "quiet" }
    let verdict: HTML =
      symbols.map { "<span class=\"\(style)\">\($0.short)</span>" }
      ?? "<span class=\"quiet\">not looked for</span>"
    let name = image.name.isEmpty ? "no name" : String(image.name.prefix(Self.longestName))
    let architecture = image.architecture?.description ?? ""
    let frames = entry.frames > 0 ? PageText.number(entry.frames) : ""
    let title: HTML = entry.isOwn ? "<b>\(HTML.name(name))</b>" : HTML.name(name)
    return [
      "\(title) <span class=\"quiet\">\(architecture)</span>\(details(of: image))", "\(frames)",
      "\(verdict)\(tried(for: entry))\(advice(for: entry))",
    ]
  }

  /// Ids, path and addresses.
  private func details(of image: LoadedImage) -> HTML {
    var lines: [String] = []
    if let id = image.debugID, !id.isZero { lines.append(id.description) }
    if let code = image.codeID?.description, code.contains(where: { $0 != "0" }),
      !Self.isSame(code, image.debugID)
    {
      lines.append("code id " + code)
    }
    var range = image.base.map(\.description) ?? ""
    if let base = image.base, let size = image.size, size > 0 {
      let (end, overflow) = base.value.addingReportingOverflow(size)
      if !overflow { range += " … " + Address(end).description }
    }
    let version = image.version.map { "version \($0)" } ?? ""
    let more = [range, version, image.path == image.name ? "" : image.path ?? ""]
      .filter { !$0.isEmpty }
    let ids = lines.map { "<div class=\"mono small quiet\">\($0)</div>" as HTML }
    let facts = more.map { text -> HTML in
      "<div class=\"mono small quiet\">\(HTML.name(String(text.prefix(Self.longestName))))</div>"
    }
    return "\(ids)\(facts)"
  }

  /// Whether a code id only repeats the debug id in another spelling, as on Apple's systems.
  private static func isSame(_ code: String, _ id: DebugID?) -> Bool {
    guard let id else { return false }
    let digits = id.description.filter { $0 != "-" }
    return code.lowercased() == digits.prefix(code.count).lowercased()
  }

  // MARK: Symbols

  /// The file that was used, and each candidate that did not fully match.
  private func tried(for entry: Entry) -> HTML {
    guard let symbols = entry.image.symbols else { return .none }
    var lines: [String] = []
    if symbols.isUnverified {
      lines.append(ImageVerdicts.words(forMatchByName: symbols))
    } else if let file = symbols.file {
      lines.append(file)
    }
    if symbols.verdict == .missing, entry.isOwn {
      // Writers do not agree on the order of an id's bytes.
      let others = entry.image.possibleDebugIDs.filter { $0 != entry.image.debugID }
      lines.append(ImageVerdicts.absence(of: entry.image) ?? "")
      if !others.isEmpty {
        lines.append("also looked for as " + others.map(\.description).joined(separator: ", "))
      }
    }
    for candidate in symbols.tried.prefix(Self.mostTried) {
      let file = candidate.file == entry.image.name ? "" : candidate.file + ": "
      lines.append(file + ImageVerdicts.words(for: candidate))
    }
    if symbols.tried.count > Self.mostTried {
      lines.append("… \(symbols.tried.count - Self.mostTried) more candidates")
    }
    return HTML(
      lines.map { line -> HTML in
        "<div class=\"small quiet\">\(HTML.name(String(line.prefix(Self.longestName * 2))))</div>"
      })
  }

  /// How to get a debug file that is missing.
  private func advice(for entry: Entry) -> HTML {
    guard entry.frames > 0, let symbols = entry.image.symbols,
      [.missing, .stripped, .damaged].contains(symbols.verdict)
    else { return .none }
    let advice = SymbolAdvice(for: MissingImage(entry.image, isOwn: entry.isOwn, of: stored))
    let words = advice.text.map { "<p>\($0)</p>" as HTML }
    let commands = advice.commands(to: server).map { "\($0)\n" as HTML }
    let run: HTML =
      commands.isEmpty ? .none : "<pre class=\"message\" tabindex=\"0\">\(commands)</pre>"
    return """
      <details><summary>How to get it</summary>\(words)\(run)<p><a href="/symbols">Upload it</a></p></details>
      """
  }

  private var unloaded: HTML {
    let images = stored.report.unloadedImages
    guard !images.isEmpty else { return .none }
    let items = images.prefix(Self.mostImages).map { image -> HTML in
      "<li class=\"mono\">\(HTML.name(String(image.name.prefix(Self.longestName)))) \(image.base?.description ?? "")</li>"
    }
    let left = images.count - items.count
    let rest: HTML = left > 0 ? "<li class=\"quiet\">and \(left) more</li>" : .none
    return """
      <details class="report"><summary>\(GroupText.count(images.count, "image", "images")) unloaded before the crash</summary>\
      <ul>\(Array(items))\(rest)</ul></details>
      """
  }
}

extension MissingImage {
  /// An image of one report, as if only this report waited for its debug file.
  fileprivate init(_ image: LoadedImage, isOwn: Bool, of stored: StoredReport) {
    let report = stored.report
    let release = Release(version: report.app.version ?? "", build: report.app.build ?? "")
    let app = stored.app ?? report.app.name ?? ""
    self.init(
      debugID: image.debugID.flatMap { $0.isZero ? nil : $0 }, codeID: image.codeID,
      architecture: image.architecture ?? report.device.architecture, name: image.name,
      path: image.path, isOwn: isOwn, hasDebugFile: false, reports: 1, groups: 1,
      provisionalGroups: 0, builds: release.isEmpty ? [] : [Build(app: app, release: release)],
      systems: report.os.name.map {
        [
          System(
            name: $0, version: report.os.version ?? "", build: report.os.build ?? "",
            model: report.device.model ?? "")
        ]
      } ?? [])
    package = image.package
  }
}
