package import HTTP
internal import JSON
internal import ServerCore

/// The responses to SDKs if there is no release: `{"code", "message"}`.
///
/// On any fatal status except `no_releases_for_user`, the iOS SDK forgets its update token, its group and a
/// postponement, and the tester has to sign in again.
///
/// Source: the SDKs' reactions, and the service's responses.
package enum DistributeRefusal {
  /// No app has the secret.
  case unknownApp
  /// There is no release for this client; this has no side effects.
  case noRelease
  case noReleaseOfHash
  /// The update token is unknown or revoked: the tester has to sign in again.
  case unknownToken
  /// The token is for another app.
  case otherApp

  package var response: Response {
    switch self {
    case .unknownApp: Self.refusal(.notFound, "not_found", "Error: App not found")
    case .noRelease:
      Self.refusal(
        .notFound, "no_releases_for_user",
        "Couldn't get a release because there are no releases for this user.")
    case .noReleaseOfHash: Self.refusal(.notFound, "not_found", "Error: App Version not found")
    case .unknownToken:
      Self.refusal(.unauthorized, "unauthorized", "The update token is unknown or revoked.")
    case .otherApp:
      Self.refusal(.forbidden, "forbidden", "The update token is for another app.")
    }
  }

  package static func refusal(_ status: Status, _ code: String, _ message: String) -> Response {
    .document(status: status) { writer in
      writer.beginObject()
      writer.member("code", code)
      writer.member("message", message)
      writer.endObject()
    }
  }
}
