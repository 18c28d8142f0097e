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
  private static let rows = 50
  /// The maximum number of releases per app, and of those that are not folded.
  private static let mostReleases = (all: 50, open: 6)
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
    page("Missing symbols", "\(upload)\n\(try MissingSymbolsView(call).content())")
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
    let search = asked.isEmpty ? "" : "&q=" + asked.inAddress
    let newer: HTML =
      start > 0
      ? """
      <a class="button" rel="prev" href="/symbols/stored?from=\(max(0, start - Self.rows))\(search)">Previous</a> 
      """ : .none
    let older: HTML =
      next < found.count
      ? "<a class=\"button\" rel=\"next\" href=\"/symbols/stored?from=\(next)\(search)\">Next</a>"
      : .none
    let list: HTML =
      table.isEmpty
      ? """
      <p class="empty">\(all.isEmpty ? "No debug files have been uploaded yet." : "No debug file has this name or id.")</p>
      """
      : """
      <p class="quiet">\(PageText.number(found.count)) of \
      \(GroupText.count(all.count, "debug file", "debug files"))</p>
      \(table.markup)<p>\(newer)\(older)</p>
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
      let newest = releases.reversed().prefix(Self.mostReleases.all)
      let older = newest.dropFirst(Self.mostReleases.open)
      let folded: HTML =
        older.isEmpty
        ? .none
        : """
        <details><summary>\(GroupText.count(older.count, "older release", "older releases"))</summary>\
        \(table(older, missing))</details>
        """
      return """
        <section class="releases"><h2>\(app)</h2>\(table(newest.prefix(Self.mostReleases.open), missing))\
        \(folded)</section>

        """
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

  private func table(
    _ releases: some Sequence<ReleaseRecord>, _ missing: [MissingImage.Build: [MissingImage]]
  ) -> HTML {
    var table = CardTable([
      ("Release", .text), ("Debug files", .text), ("Reports", .number), ("Last seen", .side),
    ])
    for record in releases {
      let gaps = missing[.init(app: record.app, release: record.release)] ?? []
      table.add(
        [
          "<a href=\"\(ReleasesView.path(record.app, record.release))\">\(record.release.name)</a>",
          Self.verdict(record, gaps), "\(PageText.number(record.reports))",
          PageText.time(record.lastSeen, now: call.now),
        ], link: true)
    }
    return table.markup
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
