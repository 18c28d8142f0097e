internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import WebServer

/// The releases of each app, the newest first, and what is known of one.
struct ReleasesView {
  let call: PageCall

  private static let mostReleases = 50
  /// Columns of the figures of a release.
  private static let width = 110

  init(_ call: PageCall) { self.call = call }

  func response() throws -> Response {
    let all = try call.service.releases(of: nil)
    let apps = Dictionary(grouping: all, by: \.app).sorted { $0.key < $1.key }
    let parts = apps.map { app, releases -> HTML in
      let rows = releases.reversed().prefix(Self.mostReleases).map { record -> HTML in
        """
        <tr class="row"><td><a href="/releases/\(app.inAddress)/\(record.release.name.inAddress)">\(record.release.name)</a></td>\
        <td class="number">\(PageText.number(record.reports))</td>\
        <td class="side">\(PageText.time(record.firstSeen, now: call.now))</td>\
        <td class="side">\(PageText.time(record.lastSeen, now: call.now))</td></tr>

        """
      }
      return """
        <section><h2>\(app)</h2><div class="scroll"><table><thead><tr><th>Release</th>\
        <th class="number">Reports</th><th class="side">First seen</th><th class="side">Last seen</th></tr></thead>\
        <tbody>\(Array(rows))</tbody></table></div></section>

        """
    }
    let none: HTML =
      parts.isEmpty
      ? """
      <p class="empty">No release yet: the first report of one makes it known, or you add it:</p>
      <pre class="message">mayday releases add Tern 2.4.1</pre>
      """ : .none
    return call.page("Releases", in: .releases, "<h1>Releases</h1>\n\(none)\(parts)")
  }

  func one() throws -> Response {
    let app = call.parameter("app")
    let name = call.parameter("release")
    let figures = try call.service.figures(of: Release(name), app: app, days: nil)
    let lines = ReleaseFiguresText(figures: figures).lines(width: Self.width, styles: .plain)
      .map { "\($0)\n" as HTML }
    return call.page(
      "\(app) \(name)", in: .releases,
      """
      <p class="quiet"><a href="/releases">Releases</a></p>
      <h1>\(app) \(name)</h1>
      <p><a href="/?version=\(figures.release.version.inAddress)&amp;status=all">Its groups</a></p>
      <pre class="message" tabindex="0">\(lines)</pre>
      """)
  }
}
