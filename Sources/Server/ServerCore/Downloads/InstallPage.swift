package import HTTP

/// The page from which users install an app: of its newest public releases, without signing in.
package enum InstallPage {
  /// Returns the path of the page of an app: `/install/apps/Tern`.
  package static func path(ofApp app: String) -> String { "/install/apps/" + app.inAddress }

  /// Returns the address of the page of an app, as it is reached by the client of a request.
  package static func address(ofApp app: String, for head: RequestHead) -> String {
    head.origin + path(ofApp: app)
  }
}
