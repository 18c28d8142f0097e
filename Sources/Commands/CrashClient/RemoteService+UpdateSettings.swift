internal import APIDocuments
package import CrashService
package import Updates

extension RemoteService {
  package func updateSettings(of app: String) throws -> AppUpdateSettings {
    try AppUpdateSettings(ask(.getUpdateSettings, app))
  }

  package func set(
    _ setting: UpdateSetting, to value: String?, of app: String, by author: String
  ) throws -> AppUpdateSettings {
    try AppUpdateSettings(
      ask(.setUpdateSetting, app, sending: UpdateSettingChange(setting, value: value)))
  }
}
