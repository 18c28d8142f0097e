package import CrashStore
package import Documents
package import JSON
package import Updates

extension PublishedConfiguration: Documented {
  package static let declaration = DocumentType(
    "RemoteConfiguration",
    blank: PublishedConfiguration(
      app: "", number: 0, time: .zero, author: "", event: .published, followsReleases: false,
      kind: .ignore, availableVersion: "", text: "")
  ) {
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember("number", \.number, .count, "Counted from 1 within the app.", example: 3)
    DocumentMember("time", \.time, .time)
    DocumentMember("author", \.author, .text)
    DocumentMember("event", \.event, .word)
    DocumentMember("restored", optional: \.source, .count, "The number that was published again.")
    DocumentMember("note", optional: \.note, .text)
    DocumentMember(
      "follows_releases", \.followsReleases, .flag,
      "Whether the newest public release is offered, whatever version the document names.")
    DocumentMember("type", \.kind, .word, "What the document tells clients to do.")
    DocumentMember("available_version", \.availableVersion, .text, example: "1.4.2")
    DocumentMember("document", \.text, .text, "The document, byte for byte.")
  }
}

extension RemoteConfiguration.Alert: Documented {
  package static let declaration = DocumentType(
    "UpdateAlert",
    blank: RemoteConfiguration.Alert(language: nil, region: nil, title: "", text: "", options: [])
  ) {
    DocumentMember("languageCode", optional: \.language, .text, example: "de")
    DocumentMember("regionCode", optional: \.region, .text, example: "DE")
    DocumentMember("title", \.title, .text)
    DocumentMember("text", \.text, .text)
    DocumentMember("options", \.options, .list(.document), "Its buttons.")
  }
}

extension RemoteConfiguration.Alert.Option: Documented {
  package static let declaration = DocumentType(
    "UpdateAlertOption", blank: RemoteConfiguration.Alert.Option("")
  ) {
    DocumentMember("title", \.title, .text)
    DocumentMember("isUpdateAction", optional: \.flag, .flag, "Whether it opens the update.")
  }

  private var flag: Bool? {
    get { isUpdate ? true : nil }
    set { isUpdate = newValue ?? false }
  }
}

extension RemoteConfigurationEdit {
  /// The members of a request.
  package static let members: [APIMember] = [
    .maybe("type", .choice(RemoteConfiguration.Kind.allCases.map(\.rawValue))),
    .maybe("frequency", .choice(RemoteConfiguration.Frequency.allCases.map(\.rawValue))),
    .maybe("available_version", .text(atLeast: 1)),
    .maybe("url", .text(atLeast: 1), "The address that the update button opens."),
    .maybe(
      "ignored_os_versions", .list(.text(atLeast: 1)),
      "Prefixes of system versions on which a mandatory update is not mandatory."),
    .maybe(
      "alerts", .list(.component(RemoteConfiguration.Alert.declaration.component)),
      "Alerts to add, or to replace that of the same language and region."),
    .maybe(
      "removed_alerts", .list(.text(atLeast: 1)),
      "Languages of alerts to remove: de, en-US, any; * for all."),
  ]

  /// - Throws: `HTTPError` that describes the invalid member.
  package init(_ input: InputDocument) throws {
    self.init()
    kind = try input.value("type", .word)
    frequency = try input.value("frequency", .word)
    availableVersion = try input.text("available_version")
    url = try input.text("url")
    ignoredOSVersions = try input.texts("ignored_os_versions")
    alerts = try input.value("alerts", .list(.document)) ?? []
    removedAlerts = try input.texts("removed_alerts") ?? []
  }

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("type", kind?.rawValue)
    writer.member("frequency", frequency?.rawValue)
    writer.member("available_version", availableVersion)
    writer.member("url", url)
    if let ignoredOSVersions { writer.member("ignored_os_versions", ignoredOSVersions) }
    if !alerts.isEmpty {
      writer.key("alerts")
      writer.write(alerts)
    }
    if !removedAlerts.isEmpty { writer.member("removed_alerts", removedAlerts) }
  }
}
