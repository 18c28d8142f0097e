package import Documents
internal import HTTP
package import Updates

/// The body of `PUT /api/v1/update-settings/:app`.
package struct UpdateSettingChange: Documented, Equatable {
  package var setting: UpdateSetting
  /// The value; `nil` removes the setting.
  package var value: String?

  package init(_ setting: UpdateSetting, value: String?) {
    self.setting = setting
    self.value = value
  }

  package static let declaration = DocumentType(
    "UpdateSettingChange", blank: UpdateSettingChange(.storeID, value: nil)
  ) {
    DocumentMember(
      "name", \.setting, .word, missing: HTTPError.invalidDocument("name is missing", "name"))
    DocumentMember(
      "value", optional: \.value, .text, "The value; without one, the setting is removed.")
  }
}
