internal import Bytes
internal import CrashStore
package import Updates

/// The update settings of apps.
package protocol UpdateSettingsService {
  func updateSettings(of app: String) throws -> AppUpdateSettings
  /// - Parameters:
  ///   - value: `nil` restores the default.
  ///   - author: The author in the history; a server always uses the token.
  func set(
    _ setting: UpdateSetting, to value: String?, of app: String, by author: String
  ) throws -> AppUpdateSettings
}

/// All update settings of an app, by name.
package struct AppUpdateSettings: Hashable, Sendable {
  package var app: String
  package var settings: [String: String]

  package init(app: String, settings: [String: String]) {
    self.app = app
    self.settings = settings
  }
}

extension LocalService: UpdateSettingsService {
  package func updateSettings(of app: String) throws -> AppUpdateSettings {
    AppUpdateSettings(app: app, settings: try store.distribution.settings(of: app))
  }

  package func set(
    _ setting: UpdateSetting, to value: String?, of app: String, by author: String
  ) throws -> AppUpdateSettings {
    if let value, let problem = setting.problem(of: value) {
      throw ServiceError("\(setting.rawValue): '\(value.printable)': \(problem)", .wrongUsage)
    }
    try store.distribution.set(setting.rawValue, to: value, of: app, by: author)
    return try updateSettings(of: app)
  }
}

extension ScopedService: UpdateSettingsService {
  package func updateSettings(of app: String) throws -> AppUpdateSettings {
    try whole.updateSettings(of: checked(app: app))
  }

  package func set(
    _ setting: UpdateSetting, to value: String?, of app: String, by author: String
  ) throws -> AppUpdateSettings {
    try whole.set(setting, to: value, of: checked(app: app), by: author)
  }
}
