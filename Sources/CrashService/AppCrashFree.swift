package import CrashStore

/// The crash-free figures of an app.
package struct AppCrashFree: Sendable {
  package let app: String
  package let figures: CrashFree

  package init(app: String, figures: CrashFree) {
    self.app = app
    self.figures = figures
  }
}
