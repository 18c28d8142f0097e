package import Documents
internal import HTTP
internal import JSON
package import Updates

/// A request that changes a remote configuration.
package protocol ConfigurationRequest: Documented {
  var followsReleases: Bool? { get set }
  var note: String? { get set }
}

extension DocumentMember where Root: ConfigurationRequest {
  /// The facts recorded with the change.
  @DocumentBuilder<Root> fileprivate static var change: [DocumentMember] {
    DocumentMember(
      "follow_releases", optional: \.followsReleases, .flag,
      "Whether the newest public release is offered.")
    DocumentMember("note", optional: \.note, .text, "A note for the history.")
  }
}

/// The body of `PUT /api/v1/remote-config/:app`.
package struct ConfigurationPublication: ConfigurationRequest, Equatable {
  package var text: String
  package var followsReleases: Bool?
  package var note: String?

  package init(text: String, followsReleases: Bool?, note: String?) {
    self.text = text
    self.followsReleases = followsReleases
    self.note = note
  }

  package static let declaration = DocumentType(
    "ConfigurationPublication",
    blank: ConfigurationPublication(text: "", followsReleases: nil, note: nil)
  ) {
    DocumentMember(
      "document", \.text, .text(atLeast: 1), "The document, served unchanged.",
      missing: HTTPError.invalidDocument(
        "document, the text of a remote configuration, is missing", "document"))
    DocumentMember.change
  }
}

/// The body of `POST /api/v1/remote-config/:app/edit`.
package struct ConfigurationEdit: ConfigurationRequest, Equatable {
  package var edit: RemoteConfigurationEdit
  package var followsReleases: Bool?
  package var note: String?

  package init(edit: RemoteConfigurationEdit, followsReleases: Bool?, note: String?) {
    self.edit = edit
    self.followsReleases = followsReleases
    self.note = note
  }

  package static let declaration = DocumentType(
    "ConfigurationEdit",
    blank: ConfigurationEdit(edit: RemoteConfigurationEdit(), followsReleases: nil, note: nil)
  ) {
    DocumentMember("type", optional: \.edit.kind, .word)
    DocumentMember("frequency", optional: \.edit.frequency, .word)
    DocumentMember("available_version", optional: \.edit.availableVersion, .text(atLeast: 1))
    DocumentMember(
      "url", optional: \.edit.url, .text(atLeast: 1),
      "The address that the update button opens.")
    DocumentMember(
      "ignored_os_versions", optional: \.edit.ignoredOSVersions, .texts(),
      "Prefixes of system versions on which a mandatory update is not mandatory.")
    DocumentMember(
      "alerts", nonEmpty: \.edit.alerts, alerts,
      "Alerts to add, or to replace that of the same language and region.")
    DocumentMember(
      "removed_alerts", nonEmpty: \.edit.removedAlerts, .texts(),
      "Languages of alerts to remove: de, en-US, any; * for all.")
    DocumentMember.change
  }

  private static let alerts: DocumentValue<[RemoteConfiguration.Alert]> = {
    let list = DocumentValue<[RemoteConfiguration.Alert]>.list(.document)
    return DocumentValue(
      list.schema, write: list.write,
      read: { value in
        guard value.array != nil else {
          throw HTTPError.invalidDocument("'alerts' is not a list", "alerts")
        }
        return try list.read(value)
      })
  }()
}

/// The body of `POST /api/v1/remote-config/:app/rollback`.
package struct ConfigurationRollback: Documented, Equatable {
  /// The number of the document to publish again; `nil` for the previous one.
  package var number: Int?
  package var note: String?

  package init(number: Int?, note: String?) {
    self.number = number
    self.note = note
  }

  package static let declaration = DocumentType(
    "ConfigurationRollback", blank: ConfigurationRollback(number: nil, note: nil)
  ) {
    DocumentMember(
      "number", optional: \.number, .integer(from: 1), "Default: the previous document.")
    DocumentMember("note", optional: \.note, .text, "A note for the history.")
  }
}
