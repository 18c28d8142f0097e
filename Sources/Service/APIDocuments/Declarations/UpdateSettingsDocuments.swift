package import CrashService
package import Documents

extension AppUpdateSettings: Documented {
  package static let declaration = DocumentType(
    "UpdateSettings", blank: AppUpdateSettings(app: "", settings: [:])
  ) {
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember("settings", \.settings, .map(.text), "The settings by name.")
  }
}
