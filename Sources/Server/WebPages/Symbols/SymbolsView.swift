internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import ServerStore

/// Debug files: missing ones, stored ones, and which releases have all of theirs.
struct SymbolsView {
  let call: PageCall

  /// The number of rows per page.
  private static let rows = 100
  /// The maximum number of images that pages can skip.
  private static let mostMissing = 100_000
  /// The maximum number of releases shown per app.
  private static let mostReleases = 50
  /// The number of images named per release.
  private static let mostNames = 3

  init(_ call: PageCall) { self.call = call }

  private func page(_ title: String, _ content: HTML) -> Response {
    var parts = [("/symbols", "Missing symbols"), ("/symbols/releases", "By release")]
    // Files do not belong to one app, so an account of one app does not see them.
    if call.visitor.account.app == nil { parts.insert(("/symbols/stored", "Debug files"), at: 1) }
    let tabs = parts.map { path, name -> HTML in
      let mark: HTML = name == title ? " aria-current=\"page\"" : .none
      return "<li><a href=\"\(path)\"\(mark)>\(name)</a></li>"
    }
    return call.page(
      title, in: .symbols,
      """
      <h1>\(title)</h1>
      <nav class="tabs" aria-label="Symbols"><ul>\(tabs)</ul></nav>
      \(content)
      """)
  }

  private var upload: HTML {
    guard call.visitor.account.allows(.symbols) else { return .none }
    return """
      <form class="card drop" method="post" action="/symbols" enctype="multipart/form-data">\(call.formField)
      <p><label for="file">Debug files: zipped dSYM bundles, ELF, PDB, Breakpad, mappings, or archives of these</label></p>
      <p><input id="file" type="file" name="file" multiple required> <button class="primary">Upload</button></p></form>
      """
  }

  // MARK: Missing

  /// Images whose debug files are missing; those that would give groups their final titles come first.
  func response() throws -> Response {
    let asked = call.request.query["from"].flatMap { Int($0) } ?? 0
    let start = min(max(0, asked), Self.mostMissing)
    let (found, total) = try call.service.missingImages(
      of: nil, app: nil, limit: start + Self.rows)
    let images = found.dropFirst(start)
    var table = CardTable([
      ("Image", .text), ("Reports", .number), ("Groups", .number),
    ])
    for image in images {
      let advice = SymbolAdvice(for: image)
      let id = image.debugID?.description ?? image.codeID?.description ?? "no id in the reports"
      let words = advice.text.map { "<p>\($0)</p>" as HTML }
      let commands = advice.commands(to: call.request.head.origin).map { "\($0)\n" as HTML }
      let run: HTML = commands.isEmpty ? .none : "<pre class=\"message\">\(commands)</pre>"
      let builds = image.builds.suffix(Self.mostNames).map { build -> HTML in
        let path = ReleasesView.path(build.app, build.release)
        return "<a href=\"\(path)\">\(build.app) \(build.release.name)</a> "
      }
      let name: HTML = "\(image.name.isEmpty ? "no name" : image.name)"
      let groups = Self.groups(with: image)
      let title: HTML =
        groups.map { "<a href=\"\($0)\" title=\"Groups with this image on the stack\">\(name)</a>" }
        ?? name
      let count: HTML =
        groups.map { "<a href=\"\($0)\">\(PageText.number(image.groups))</a>" }
        ?? "\(PageText.number(image.groups))"
      table.add(
        [
          """
          <b class="breaks">\(title)</b> \
          <span class="quiet">\(image.architecture?.description ?? "")</span>\
          <div class="mono small">\(id)</div><div class="quiet small targets">\(Array(builds))</div>\
          <details><summary>How to get it</summary>\(words)\(run)</details>
          """, "\(PageText.number(image.reports))", count,
        ], link: groups != nil, isQuiet: !image.isOwn)
    }
    let next = start + images.count
    let more: HTML =
      next < total && !images.isEmpty
      ? "<p><a class=\"button\" rel=\"next\" href=\"/symbols?from=\(next)\">Next \(Self.rows)</a></p>"
      : .none
    let list: HTML =
      total == 0
      ? """
      <p class="empty">No debug files are missing. Upload the files of each build:</p>
      <pre class="message">mayday upload build/ --server \(call.request.head.origin)</pre>
      """
      : """
      <p class="quiet">\(PageText.number(images.count)) of \(PageText.count(total, "image", "images")). \
      Images that keep groups from their final titles come first, then those of your own code, then those in the \
      most reports.</p>
      \(table.markup)\(more)
      """
    return page("Missing symbols", "\(upload)\n\(list)")
  }

  /// The list of the groups that have an image on the stack.
  private static func groups(with image: MissingImage) -> String? {
    guard !image.name.isEmpty, !image.name.contains(where: \.isNewline) else { return nil }
    var conditions = ["image:\(image.name.inQuery)"]
    // Only one build's groups, if only one build has the image.
    if let build = image.builds.first, image.builds.count == 1 {
      conditions.append(QueryWords.condition("app", build.app))
      conditions.append("version:\(build.release.name.inQuery)")
    }
    return "/?status=all&q=" + conditions.joined(separator: " ").inAddress
  }

  // MARK: Stored

  /// The stored debug files, newest first.
  func stored() throws -> Response {
    let asked = call.request.query["q"] ?? ""
    let word = asked.lowercased().filter { !$0.isWhitespace }
    let all = try call.service.debugFiles()
    let found = all.filter { word.isEmpty || Self.matches($0, word) }
      .sorted { ($0.added, $0.digest) > ($1.added, $1.digest) }
    let start = min(found.count, max(0, call.request.query["from"].flatMap { Int($0) } ?? 0))
    let shown = found.dropFirst(start).prefix(Self.rows)
    var table = CardTable([
      ("File", .text), ("Architecture", .text), ("Kind", .text), ("Size", .number),
      ("Added", .side), ("Debug id", .mono),
    ])
    for file in shown {
      table.add([
        "<span class=\"breaks\">\(file.name)</span>", "\(file.architecture.description)",
        "\(file.kind)", "\(DebugFileList.size(file.size))",
        PageText.time(file.added, now: call.now), "\(file.debugID.description)",
      ])
    }
    let next = start + shown.count
    let older: HTML =
      next < found.count
      ? """
      <p><a class="button" href="/symbols/stored?from=\(next)\(asked.isEmpty ? "" : "&q=" + asked.inAddress)">More</a></p>
      """ : .none
    let list: HTML =
      table.isEmpty
      ? """
      <p class="empty">\(all.isEmpty ? "No debug files have been uploaded yet." : "No debug file has this name or id.")</p>
      """
      : """
      <p class="quiet">\(PageText.number(found.count)) of \
      \(GroupText.count(all.count, "debug file", "debug files"))</p>
      \(table.markup)\(older)
      """
    return page(
      "Debug files",
      """
      \(upload)
      <form class="search" action="/symbols/stored" role="search"><label class="grow"><span>Name or id</span>\
      <input name="q" type="search" value="\(asked)" autocomplete="off"></label><button>Search</button></form>
      \(list)
      """)
  }

  private static func matches(_ file: DebugFileRecord, _ word: String) -> Bool {
    let id = word.filter { $0 != "-" }
    return file.name.lowercased().contains(word)
      || file.debugID.description.lowercased().filter { $0 != "-" }.hasPrefix(id)
      || file.codeID?.description.lowercased().hasPrefix(id) == true
      || file.digest.hasPrefix(word)
  }

  // MARK: By release

  /// Whether each release has the debug files of the app's own code that its reports need.
  func byRelease() throws -> Response {
    let (images, _) = try call.service.missingImages(of: nil, app: nil, limit: nil)
    var missing: [MissingImage.Build: [MissingImage]] = [:]
    for image in images where image.isOwn {
      for build in image.builds { missing[build, default: []].append(image) }
    }
    let apps = Dictionary(grouping: try call.service.releases(of: nil), by: \.app)
    let parts = apps.sorted { $0.key < $1.key }.map { app, releases -> HTML in
      var table = CardTable([
        ("Release", .text), ("Debug files", .text), ("Reports", .number), ("Last seen", .side),
      ])
      for record in releases.reversed().prefix(Self.mostReleases) {
        let gaps = missing[.init(app: app, release: record.release)] ?? []
        table.add(
          [
            "<a href=\"\(ReleasesView.path(app, record.release))\">\(record.release.name)</a>",
            Self.verdict(record, gaps), "\(PageText.number(record.reports))",
            PageText.time(record.lastSeen, now: call.now),
          ], link: true)
      }
      return "<section class=\"releases\"><h2>\(app)</h2>\(table.markup)</section>\n"
    }
    let none: HTML =
      parts.isEmpty
      ? "<p class=\"empty\">No releases yet. A release appears with its first report.</p>" : .none
    return page(
      "By release",
      """
      <p class="quiet">Debug files of the app's own code that reports still need. To check a build before its release, \
      run <code>mayday symbols check build/</code>.</p>
      \(none)\(parts)
      """)
  }

  private static func verdict(_ record: ReleaseRecord, _ gaps: [MissingImage]) -> HTML {
    if record.reports == 0 { return "<span class=\"quiet\">no reports yet</span>" }
    guard !gaps.isEmpty else { return "<span class=\"found\">complete</span>" }
    let names = gaps.prefix(mostNames).map { $0.name.isEmpty ? "an unnamed image" : $0.name }
    let more = gaps.count > mostNames ? " and \(gaps.count - mostNames) more" : ""
    return """
      <span class="missing">\(gaps.count) missing:</span> <span class="breaks">\(names.joined(separator: ", "))\(more)</span>
      """
  }
}
