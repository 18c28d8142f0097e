internal import APIDocuments
package import CrashService
internal import JSON
package import Updates

extension RemoteService {
  package func updateSettings(of app: String) throws -> AppUpdateSettings {
    try AppUpdateSettings(ask("GET", "/update-settings/\(Self.name(app))"))
  }

  package func set(
    _ setting: UpdateSetting, to value: String?, of app: String, by author: String
  ) throws -> AppUpdateSettings {
    try AppUpdateSettings(
      ask("PUT", "/update-settings/\(Self.name(app))") { writer in
        writer.member("name", setting.rawValue)
        writer.member("value", value)
      })
  }
}
