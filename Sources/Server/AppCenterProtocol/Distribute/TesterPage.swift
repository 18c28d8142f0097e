package import HTTP
package import Rendering
internal import ServerStore

/// A page for testers: one style, no script, nothing loaded from elsewhere.
package struct TesterPage {
  package let title: String
  package let body: HTML
  package var status = Status.ok
  /// Schemes that a form may redirect to, besides this server: browsers check each redirect.
  package var schemes: [String] = []

  package init(_ title: String, _ body: HTML, status: Status = .ok, schemes: [String] = []) {
    self.title = title
    self.body = body
    self.status = status
    self.schemes = schemes
  }

  /// The file `tester.css`, without the end of its last line.
  private static let css = String(decoding: PackageResources.tester_css.dropLast(), as: UTF8.self)

  package var response: Response {
    // Injected markup lacks the nonce, so that it has no effect.
    let nonce = RandomBytes.hex(16)
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style nonce="\(nonce)">\(HTML(stringLiteral: Self.css))</style>
      </head>
      <body>
      <main>
      <h1>\(title)</h1>
      \(body)
      </main>
      </body>
      </html>

      """
    let targets = (["'self'"] + schemes.map { $0 + ":" }).joined(separator: " ")
    return .html(
      page.markup, status: status,
      headers: [
        "Content-Security-Policy":
          "default-src 'none'; style-src 'nonce-\(nonce)'; img-src 'self'; "
          + "form-action \(targets); base-uri 'none'; frame-ancestors 'none'",
        "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
      ])
  }
}
