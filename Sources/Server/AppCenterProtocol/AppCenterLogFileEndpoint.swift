internal import CrashService
package import HTTP
internal import Pipeline
package import ServerCore
internal import ServerStore

/// `POST …/errors/upload`: manual upload of a crash file, from an older schema of App Center's API: a form
/// with the file in the field `log` and, if known, `error_user_id`.
package struct AppCenterLogFileEndpoint {
  package let intake: IntakeEndpoint

  /// The authorization. An invalid token is refused in the family's format; rate and space limits as for
  /// every submission.
  package var authorization: Route.Authorization {
    let mayAsk = AppCenterCall.authorization([.ingest], of: intake.context)
    return { [intake] head in try mayAsk(head) ?? intake.authorization(head) }
  }

  /// Stores the file; it is on disk when this returns.
  package func upload(_ call: AppCenterCall) throws -> Response {
    var parts = call.request.parts.filter { $0.name == "log" || $0.fileName != nil }
    guard !parts.isEmpty else {
      throw HTTPError.refused(.badRequest, "the form has no file: -F log=@crash.crash")
    }
    // No format has a field for it.
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
