package import CrashService
package import Documents
package import HTTP
package import Identifiers

/// The body of `POST /api/v1/releases` and `/releases/remove`.
package struct NamedReleases: Documented, Equatable {
  package var app: String
  package var releases: [Release]

  package init(app: String, releases: [Release]) {
    self.app = app
    self.releases = releases
  }

  /// Returns the app in the body of a request, which may be invalid otherwise.
  package static func app(in request: Request) -> String? {
    InputDocument.text(appMember, in: request)
  }

  private static let appMember = "app"

  package static let declaration = members("NamedReleases", atLeast: 1)

  /// The body of `PUT /api/v1/releases/order`; an empty list restores the order by number.
  package static let order = members("ReleaseOrder", atLeast: 0)

  private static func members(
    _ name: String, atLeast least: Int
  ) -> DocumentType<NamedReleases> {
    let refusal = HTTPError.invalidDocument(
      "app and releases (at most \(APILimits.releases)) are required")
    return DocumentType(name, blank: NamedReleases(app: "", releases: [])) {
      DocumentMember(appMember, \.app, .text(atLeast: 1), missing: refusal)
      DocumentMember(
        "releases", \.releases,
        DocumentValue.texts(atLeast: least, atMost: APILimits.releases).map(
          write: { $0.map(\.name) },
          read: { names in
            guard (least...APILimits.releases).contains(names.count) else { throw refusal }
            return names.map { Release($0) }
          }), "1.5.0, or 1.5.0 (600) with the build.", missing: refusal)
    }
  }
}

/// The body of `POST /api/v1/releases/rollout`.
package struct RolloutRequest: Documented, Equatable {
  package var release: Release
  package var app: String?
  package var percent: Int?
  package var action: String?

  package init(release: Release, app: String?, _ change: RolloutChange?) {
    self.release = release
    self.app = app
    switch change {
    case .share(let percent): self.percent = percent
    case .pause: action = "pause"
    case .resume: action = "resume"
    case .look: action = "check"
    case nil: break
    }
  }

  /// The change; `nil` unless there is either a percentage or an action.
  package var change: RolloutChange? {
    switch (percent, action) {
    case (let percent?, nil): .share(percent)
    case (nil, "pause"): .pause
    case (nil, "resume"): .resume
    case (nil, "check"): .look
    default: nil
    }
  }

  /// The refusal of a body without exactly one change.
  package static let noChange = HTTPError.invalidDocument(
    "either percent or action (pause, resume or check) is required")

  package static let declaration = DocumentType(
    "RolloutRequest", blank: RolloutRequest(release: Release(version: ""), app: nil, nil)
  ) {
    DocumentMember.reading(
      "version", \.release, .text(atLeast: 1), "1.5.0, or 1.5.0 (600) with the build.",
      orThrow: .invalidDocument("version must be a version such as 1.5.0"), write: { $0.name },
      read: { name in Release(name).isEmpty ? nil : Release(name) })
    DocumentMember(
      "app", optional: \.app, .text(atLeast: 1), "Required if several apps have such a release."
    ).afterCheck()
    DocumentMember("percent", optional: \.percent, .integer(from: 0, through: 100), "Or action.")
    DocumentMember(
      "action", optional: \.action, .words(["pause", "resume", "check"]), "Or percent.")
  } check: { request in
    guard let change = request.change else { throw noChange }
    if case .share(101...) = change {
      throw HTTPError.invalidDocument("percent must be 0 to 100")
    }
  }
}
