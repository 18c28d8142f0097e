package import CrashStore

/// The crash-free figures of an app.
package struct AppCrashFree: Hashable, Sendable {
  package var app: String
  package var figures: CrashFree

  package init(app: String, figures: CrashFree) {
    self.app = app
    self.figures = figures
  }
}
