internal import CrashModel
internal import CrashStore
package import Updates

/// What the owners of apps have set of their updates.
package protocol UpdateSettingsService {
  func updateSettings(of app: String) throws -> AppUpdateSettings
  /// - Parameters:
  ///   - value: `nil` goes back to what it is without a setting.
  ///   - author: Whom the history names; a server names the token in any case.
  func set(
    _ setting: UpdateSetting, to value: String?, of app: String, by author: String
  ) throws -> AppUpdateSettings
}

/// All that is set of the updates of an app, by name.
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
