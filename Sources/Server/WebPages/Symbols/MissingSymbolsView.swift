internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Query
internal import Rendering
internal import ServerCore

/// The images whose debug files are missing, of all apps, one app or one release, under the release that needs
/// each.
struct MissingSymbolsView {
  let call: PageCall
  private let app: String?
  private let release: Release?

  /// The number of images per page.
  private static let rows = 25
  /// The maximum number of images that pages can skip.
  private static let most = 100_000
  /// The maximum number of releases in the menu.
  private static let mostReleases = 200
  /// The number of further releases named per image.
  private static let mostNames = 3

  init(_ call: PageCall) {
    self.call = call
    let query = call.request.query
    app = query["app"].flatMap { $0.isEmpty ? nil : $0 }
    // A release without its app may be one of several.
    let name = app == nil ? nil : query["release"].flatMap { $0.isEmpty ? nil : $0 }
    release = name.map { Release($0) }
  }

  func content() throws -> HTML {
    let start = min(max(0, call.request.query["from"].flatMap { Int($0) } ?? 0), Self.most)
    let (found, total) = try call.service.missingImages(
      of: try query(), app: app, limit: start + Self.rows)
    let images = found.dropFirst(start)
    guard total > 0 else { return "\(try filter())\(try none())" }
    return """
      \(try filter())
      <p class="quiet">\(PageText.number(images.count)) of \(PageText.count(total, "image", "images")). \
      Images that keep groups from their final titles come first, then those of your own code, then those in the \
      most reports.</p>
      \(sections(Array(images)))
      \(pages(start, start + images.count, total))
      """
  }

  private func query() throws -> Query? {
    guard let app, let release else { return nil }
    let conditions = [
      QueryWords.condition("app", app), QueryWords.condition("version", release.name),
    ]
    return try Query(conditions.joined(separator: " "), now: call.now)
  }

  /// Advice where nothing is missing.
  private func none() throws -> HTML {
    guard app == nil else { return "<p class=\"empty\">No debug files are missing.</p>" }
    return """
      <p class="empty">No debug files are missing. Upload the files of each build:</p>
      <pre class="message">mayday upload build/ --server \(call.request.head.origin)</pre>
      """
  }

  // MARK: The filter

  private func filter() throws -> HTML {
    let apps = try call.service.apps().map { ($0.name, $0.name == app) }
    let releases = try app.map { app in
      try call.service.releases(of: app).reversed().prefix(Self.mostReleases).map {
        ($0.release.name, $0.release == release)
      }
    }
    let menu: HTML =
      releases.map { Self.menu("Release", "release", "All releases", $0) } ?? .none
    return """
      <form class="search" action="/symbols" role="search">\(Self.menu("App", "app", "All apps", apps))\
      \(menu)<button>Show</button></form>
      """
  }

  private static func menu(
    _ label: String, _ name: String, _ all: String, _ options: [(name: String, isChosen: Bool)]
  ) -> HTML {
    let list = options.map { option -> HTML in
      let mark: HTML = option.isChosen ? " selected" : .none
      return "<option\(mark)>\(option.name)</option>"
    }
    return """
      <label><span>\(label)</span><select name="\(name)"><option value="">\(all)</option>\(list)</select></label>
      """
  }

  // MARK: The list

  /// Returns the images under their releases, in the order in which these first appear.
  private func sections(_ images: [MissingImage]) -> [HTML] {
    var builds: [MissingImage.Build?] = []
    var parts: [MissingImage.Build?: [MissingImage]] = [:]
    for image in images {
      let build = build(of: image)
      if parts[build] == nil { builds.append(build) }
      parts[build, default: []].append(image)
    }
    return builds.map { build in
      var table = CardTable([("Image", .text), ("Reports", .number), ("Groups", .number)])
      for image in parts[build] ?? [] { add(image, under: build, to: &table) }
      let title: HTML =
        build.map { build in
          """
          <a href="\(ReleasesView.path(build.app, build.release))">\(build.app) \(build.release.name)</a>
          """
        } ?? "Without a release"
      return "<section class=\"releases\"><h2>\(title)</h2>\(table.markup)</section>\n"
    }
  }

  /// The release to show an image under: the newest that needs it, of those asked for.
  private func build(of image: MissingImage) -> MissingImage.Build? {
    image.builds.last { build in
      (app == nil || build.app == app) && (release.map { build.release.isBuild(of: $0) } ?? true)
    } ?? image.builds.last
  }

  private func add(
    _ image: MissingImage, under build: MissingImage.Build?, to table: inout CardTable
  ) {
    let advice = SymbolAdvice(for: image)
    let id = image.debugID?.description ?? image.codeID?.description ?? "no id in the reports"
    let words = advice.text.map { "<p>\($0)</p>" as HTML }
    let commands = advice.commands(to: call.request.head.origin).map { "\($0)\n" as HTML }
    let run: HTML = commands.isEmpty ? .none : "<pre class=\"message\">\(commands)</pre>"
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
        <div class="mono small">\(id)</div>\(others(image, build))\
        <details><summary>How to get it</summary>\(words)\(run)</details>
        """, "\(PageText.number(image.reports))", count,
      ], link: groups != nil, isQuiet: !image.isOwn)
  }

  /// Further releases that need an image.
  private func others(_ image: MissingImage, _ build: MissingImage.Build?) -> HTML {
    let others = image.builds.filter { $0 != build }
    guard !others.isEmpty else { return .none }
    let links = others.suffix(Self.mostNames).reversed().map { build -> HTML in
      "<a href=\"\(ReleasesView.path(build.app, build.release))\">\(build.app) \(build.release.name)</a> "
    }
    let rest = others.count - links.count
    return """
      <div class="quiet small targets">also in \(links)\(rest > 0 ? "and \(rest) more" : "")</div>
      """
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

  // MARK: Pages

  private func pages(_ start: Int, _ next: Int, _ total: Int) -> HTML {
    let newer: HTML =
      start > 0
      ? "<a class=\"button\" rel=\"prev\" href=\"\(address(max(0, start - Self.rows)))\">Previous</a> "
      : .none
    let older: HTML =
      next < total && next > start
      ? "<a class=\"button\" rel=\"next\" href=\"\(address(next))\">Next</a>" : .none
    return "<p>\(newer)\(older)</p>"
  }

  private func address(_ start: Int) -> String {
    let app = app.map { "&app=" + $0.inAddress } ?? ""
    let release = release.map { "&release=" + $0.name.inAddress } ?? ""
    return "/symbols?from=\(start)\(app)\(release)"
  }
}
