package import CrashStore
package import Documents
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
    DocumentMember(
      "served_version", optional: \.servedVersion, .text,
      "The version on offer, if the configuration is served and follows releases.",
      example: "1.5.0")
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
