internal import HTTP
internal import Rendering
internal import ServerCore

/// Refuses requests of testers' pages that another site sent, or that are too many.
struct TesterFormGuard: Sendable {
  /// Size limit of a form, which has an invitation's code.
  static let bodyLimit: ByteCount = .kibibytes(4)

  private let context: ServerContext

  init(context: ServerContext) { self.context = context }

  /// Returns a refusal for a form sent by another site, or for too many from one address.
  func refusal(ofForm head: RequestHead) -> Response? {
    // Browsers send the form's origin.
    let isForeign =
      head.headers["Sec-Fetch-Site"].map { !["same-origin", "none"].contains($0) }
      ?? head.headers["Origin"].map { !$0.hasSuffix("://" + (head.headers["Host"] ?? "")) } ?? false
    if isForeign {
      return TesterPage(
        "This form is from another site", "<p>Open the link of your invitation again.</p>",
        status: .forbidden
      ).response
    }
    return tooMany(head)
  }

  /// Returns a refusal for too many requests from one address.
  func tooMany(_ head: RequestHead) -> Response? {
    guard let wait = context.wait(for: head, app: nil, isPublic: true) else { return nil }
    var response = TesterPage(
      "Too many requests", "<p>Try again in \(wait) seconds.</p>", status: .tooManyRequests
    ).response
    response.headers["Retry-After"] = "\(wait)"
    return response
  }
}
