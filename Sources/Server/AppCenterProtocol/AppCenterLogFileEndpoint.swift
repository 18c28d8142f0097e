package import WebServer
internal import CrashService
package import HTTP
internal import ServerStore
internal import Pipeline

/// `POST …/errors/upload`: a crash file by hand, as an older schema of App Center's API had it: a form
/// with the file in the field `log` and, if somebody knows, `error_user_id`.
package struct AppCenterLogFileEndpoint {
  package let intake: IntakeEndpoint

  /// The token is refused in the words of the family; what comes too fast or finds no room as every
  /// submission is.
  package var authorization: Route.Authorization {
    let mayAsk = AppCenterCall.authorization([.ingest], of: intake.context)
    return { [intake] head in try mayAsk(head) ?? intake.authorization(head) }
  }

  /// Keeps the file; it is on the disk when this returns.
  package func upload(_ call: AppCenterCall) throws -> Response {
    var parts = call.request.parts.filter { $0.name == "log" || $0.fileName != nil }
    guard !parts.isEmpty else {
      throw HTTPError.refused(.badRequest, "the form has no file: -F log=@crash.crash")
    }
    // No format has a place for it.
    parts += call.request.parts.filter { $0.name == "error_user_id" && $0.count > 0 }.map {
      FormPart(
        name: "attachment", fileName: "error_user_id.txt", contentType: "text/plain",
        content: $0.content)
    }
    return try intake.accept(
      form: parts, app: call.app, facts: [IntakeFact.trust: IntakeFact.token], status: .ok)
  }

  package init(intake: IntakeEndpoint) {
    self.intake = intake
  }
}
