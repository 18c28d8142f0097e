internal import HTTP
internal import Rendering
internal import ServerCore
internal import ServerStore

/// The page of a form that came after the session had ended: it shows what was typed, and is not sent yet.
struct UnsentFormPage {
  let call: PageCall
  let forms: UnsentForms

  static let path = "/unsent"

  func response() throws -> Response {
    let key = SessionCookie.unsent.text(in: call.request.head)
    guard let form = key.flatMap({ forms.take($0) }) else {
      return PageDocument.problem(
        "Nothing to send", "No form waits to be sent. What was typed is kept for half an hour.",
        .notFound, for: call.visitor
      ).response
    }
    guard call.visitor.account.allows(form.scope) else {
      return PageDocument.problem(
        "Not allowed", "Your role, \(call.visitor.account.role.rawValue), does not allow this.",
        .forbidden, for: call.visitor
      ).response
    }
    var shown = call
    shown.request = form.request
    // The session's own headers, as the page may read them.
    shown.request.head.headers = call.request.head.headers
    let action = form.request.head.segments.map { "/" + $0.inAddress }.joined()
    shown.refused = RefusedForm(
      action: action, fields: form.fields,
      message: "You were signed out, so this was not sent. Check it and send it again.")
    var response: Response
    do {
      response = try form.page(shown)
    } catch let error where PageSite.isRefusal(error) {
      response = PageSite.refusal(of: error, call.visitor)
    }
    response.headers["Cache-Control"] = "no-store"
    response.headers.add(
      "Set-Cookie", SessionCookie.unsent.field(nil, lifetime: 0, for: call.request.head))
    return response
  }
}
