package import HTTP
internal import ServerCore
package import Updates

/// An app's request in the browser, before its tester gets updates of private groups.
///
/// It becomes a redirect that carries a token to the app. So all of it is checked, and it can lead to no
/// other app: on iOS the scheme contains the app's secret, on Android the package must be one that is
/// distributed.
package struct SetupRequest: Sendable {
  package enum System: Sendable {
    case iOS
    case android
  }

  package let updates: AppUpdates
  package let system: System
  /// The request id in the spelling of the client, which compares it with its own.
  package let id: String
  /// The scheme on iOS, the package on Android.
  package let target: String
  /// Whether the app wants to be notified of a failure.
  package let redirectsFailure: Bool

  /// Why the request cannot continue.
  package enum Problem: Error, Equatable, Sendable {
    case unknownApp
    /// A parameter is missing, or differs from what clients send.
    case wrong(String)
  }

  package init(_ head: RequestHead, in catalog: UpdateCatalog) throws(Problem) {
    let secret = UpdateClient.secret(of: head)
    guard let updates = catalog.app(ofSecret: secret) else { throw .unknownApp }
    self.updates = updates
    guard let id = head.query["request_id"], UUIDText.isUUID(id) else { throw .wrong("request_id") }
    self.id = id
    let target = head.query["redirect_id"] ?? ""
    switch head.query["platform"]?.lowercased() {
    case "ios":
      system = .iOS
      guard target.lowercased() == "appcenter-" + secret else { throw .wrong("redirect_id") }
    case "android":
      system = .android
      guard head.query["redirect_scheme"] ?? Self.androidScheme == Self.androidScheme else {
        throw .wrong("redirect_scheme")
      }
      guard Self.isPackage(target), Self.isPackage(target, of: updates) else {
        throw .wrong("redirect_id")
      }
    default: throw .wrong("platform")
    }
    self.target = target
    redirectsFailure = head.query["enable_failure_redirect"]?.lowercased() == "true"
  }

  private static let androidScheme = "appcenter"

  /// Source: the rules for Android's application ids.
  private static func isPackage(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
      }
  }

  /// Whether the app is distributed under this package; any is allowed as long as no file states its package.
  private static func isPackage(_ text: String, of updates: AppUpdates) -> Bool {
    let known = updates.artefacts.filter { $0.platform == .android }
      .compactMap(\.package.identifier)
    return known.isEmpty || known.contains(text)
  }

  package var platforms: Set<ArtefactPlatform> { system == .iOS ? [.iOS] : [.android] }

  // MARK: Back to the app

  package func success(group: String, token: String) -> String {
    address([("request_id", id), ("distribution_group_id", group), ("update_token", token)])
  }

  package func failure(_ message: String) -> String {
    address([("request_id", id), ("update_setup_failed", message)])
  }

  /// iOS opens the address in the app that registered the scheme; on Android the browser turns it into an
  /// intent with text extras.
  private func address(_ items: [(name: String, value: String)]) -> String {
    switch system {
    case .iOS:
      return target + "://?"
        + items.map { $0.name + "=" + $0.value.inAddress }.joined(separator: "&")
    case .android:
      let extras = items.map { "S.\($0.name)=\($0.value.inAddress);" }.joined()
      return "intent://updates/#Intent;scheme=\(Self.androidScheme);package=\(target);\(extras)end"
    }
  }
}
