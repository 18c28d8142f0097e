internal import HTTP
internal import Rendering
internal import ServerCore

/// Shows refusals to browsers as pages where programs get a problem in JSON: unknown addresses, bodies that are
/// too large, a server that is busy or failed.
enum PageRefusal {
  /// The response as a page, for clients that prefer HTML.
  static func page(
    _ response: Response, _ head: RequestHead, in context: ServerContext
  ) -> Response {
    let accepted = head.headers["Accept"] ?? ""
    guard accepted.contains("text/html"), response.status.code >= 400 else { return response }
    let (title, text) = words(response.status, head)
    // A busy or failed server should do no further work.
    var visitor: Visitor?
    if (400..<500).contains(response.status.code), response.status.code != 429 {
      visitor = try? Visitor(head, in: context)
    }
    var page = PageDocument.problem(title, text, response.status, for: visitor).response
    for name in ["Retry-After", "Allow"] {
      if let value = response.headers[name] { page.headers[name] = value }
    }
    return page
  }

  private static func words(_ status: Status, _ head: RequestHead) -> (title: String, text: String)
  {
    switch status.code {
    case 404: ("Not found", "There is no page at this address.")
    case 405:
      ("Not found", "This address accepts only forms. Use the buttons on the page.")
    case 408: ("Timed out", "The request took too long to arrive. Try again.")
    case 413:
      ("Too large", "Pages do not accept this much data. `mayday upload` sends files of any size.")
    case 429, 503: ("Busy", "The server is busy. Try again in a moment.")
    case 507: ("Disk full", "The server's disk is full.")
    case 400..<500: ("Invalid request", "The server could not read the request.")
    default: ("Server error", "The server's log has the details under \(head.id).")
    }
  }
}
