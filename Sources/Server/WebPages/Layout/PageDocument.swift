internal import HTTP
internal import Rendering
internal import ServerStore

/// A complete page: the common frame around the content of each page.
struct PageDocument {
  enum Section: String, CaseIterable {
    case groups = "Groups"
    case releases = "Releases"
    case symbols = "Symbols"
    case apps = "Apps"
    case server = "Server"

    var path: String { self == .groups ? "/" : "/" + rawValue.lowercased() }
    var scope: TokenScope {
      switch self {
      case .groups, .releases, .symbols: .read
      case .apps: .triage
      case .server: .admin
      }
    }
  }

  var title: String
  var section: Section?
  var visitor: Visitor?
  var status = Status.ok
  /// Seconds after which a browser without scripts reloads the page.
  var refresh: Int?
  /// Whether the content has the search of all reports, which the header has otherwise.
  var hasSearch = false
  var content: HTML

  var response: Response {
    var response = Response.html(markup.markup, status: status)
    for field in Self.headers.fields { response.headers[field.name] = field.value }
    return response
  }

  /// A page loads only files of this server, runs no inline script, and cannot be framed by other sites. Other
  /// sites do not learn its address, which may reveal a bug.
  static let headers: Headers = [
    "Content-Security-Policy":
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
      + "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "private, no-cache",
  ]

  private var markup: HTML {
    let again: HTML =
      refresh.map { "<noscript><meta http-equiv=\"refresh\" content=\"\($0)\"></noscript>" }
      ?? .none
    return """
      <!DOCTYPE html>
      <html lang="en"\(visitor?.theme.attribute ?? .none)>
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      \(again)<title>\(title) · Mayday</title>
      <link rel="stylesheet" href="\(PageAssets.stylePath)">
      <link rel="icon" href="\(PageAssets.iconPath)" type="image/svg+xml">
      <script src="\(PageAssets.scriptPath)" defer></script>
      </head>
      <body>
      <a class="skip" href="#content">Skip to content</a>
      \(header)
      <main id="content" tabindex="-1">
      \(content)
      </main>
      </body>
      </html>

      """
  }

  private var header: HTML {
    guard let visitor else {
      return "<header class=\"top\"><span class=\"brand\">Mayday</span></header>"
    }
    let links = Section.allCases.filter { visitor.account.allows($0.scope) }.map { entry -> HTML in
      let current: HTML = entry == section ? " aria-current=\"page\"" : .none
      let path = entry == .groups ? visitor.list : entry.path
      return "<li><a href=\"\(path)\"\(current)>\(entry.rawValue)</a></li>"
    }
    return """
      <header class="top"><a class="brand" href="/">Mayday</a>
      <nav aria-label="Pages"><ul>\(links)</ul></nav>
      \(search)\
      <form method="post" action="/theme"><input type="hidden" name="form" value="\(visitor.formToken)">\
      <button class="theme" name="to" value="\(visitor.theme.next.rawValue)" title="\(visitor.theme.words)" \
      aria-label="\(visitor.theme.words)">◐</button></form>
      <a class="who" href="/account">\(visitor.account.name)</a></header>
      """
  }

  private var search: HTML {
    guard !hasSearch, visitor?.account.allows(.read) == true else { return .none }
    return """
      <form class="find" action="/" role="search" aria-label="All reports"><label>\
      <span class="hidden">Search, or the id of a group, report, install or user</span>
      <input name="q" type="text" enterkeyhint="search" placeholder="Search, or an id" data-complete \
      autocomplete="off" spellcheck="false"></label></form>

      """
  }

  /// A page that shows what went wrong, and what to do.
  ///
  /// - Parameter back: The page whose form was refused.
  static func problem(
    _ title: String, _ text: String, _ status: Status, for visitor: Visitor?,
    back: FormPage? = nil
  ) -> PageDocument {
    let lines = text.split(separator: "\n").map { "\(String($0))\n" as HTML }
    let link: HTML =
      back.map { "<a class=\"button\" href=\"\($0.path)\">Back to \($0.name)</a>" }
      ?? "<a href=\"/\">All groups</a>"
    return PageDocument(
      title: title, visitor: visitor, status: status,
      content: """
        <h1>\(title)</h1>
        <p class="message mono" role="alert">\(lines)</p>
        <p>\(link)</p>
        """)
  }
}
