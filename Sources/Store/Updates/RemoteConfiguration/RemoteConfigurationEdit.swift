internal import JSON

/// Changes to the update in a remote configuration; anything not given stays.
public struct RemoteConfigurationEdit: Sendable, Hashable {
  public var kind: RemoteConfiguration.Kind?
  public var frequency: RemoteConfiguration.Frequency?
  public var availableVersion: String?
  public var url: String?
  /// All of them; empty for none.
  public var ignoredOSVersions: [String]?
  /// Each replaces the alert of the same language and region, or is added.
  public var alerts: [RemoteConfiguration.Alert] = []
  /// The languages whose alerts are removed: `de`, `en-US`; `*` for all.
  public var removedAlerts: [String] = []

  public init() {}

  public var isEmpty: Bool { self == RemoteConfigurationEdit() }

  /// The document with the changes. Everything else in it stays byte for byte.
  ///
  /// - Parameter document: The document; `nil` creates a new one.
  /// - Throws: ``RemoteConfigurationError`` where clients could not decode the result.
  public func apply(
    to document: RemoteConfiguration?
  ) throws(RemoteConfigurationError) -> RemoteConfiguration {
    guard let document else {
      let update = try members(replacing: [], of: [], alerts: [])
      return try RemoteConfiguration(Array("{\n  \"appUpdate\": ".utf8) + update + "\n}\n".utf8)
    }
    guard case .object(let members) = document.update.content else { return document }
    let update = try self.members(
      replacing: members, of: document.bytes, alerts: document.alerts)
    var bytes = document.bytes
    bytes.replaceSubrange(document.update.range, with: update)
    return try RemoteConfiguration(bytes)
  }

  /// The object that describes the update.
  private func members(
    replacing old: [SourceJSON.Member], of bytes: [UInt8], alerts: [RemoteConfiguration.Alert]
  ) throws(RemoteConfigurationError) -> [UInt8] {
    var new: [(key: String, value: [UInt8])] = []
    func add(_ key: String, _ value: [UInt8]?) {
      guard let value else { return }
      new.append((key, value))
    }
    add("availableVersion", availableVersion.map(RemoteConfiguration.quoted))
    add("url", url.map(RemoteConfiguration.quoted))
    add("type", kind.map { RemoteConfiguration.quoted($0.rawValue) })
    add("frequency", frequency.map { RemoteConfiguration.quoted($0.rawValue) })
    add("ignoredOSVersions", ignoredOSVersions.map(Self.list))
    if let edited = try edited(alerts) { add("localizedStrings", Self.written(edited)) }

    var members = old.map { member in
      (
        key: member.key,
        value: new.first { $0.key == member.key }?.value ?? Array(bytes[member.value.range])
      )
    }
    members += new.filter { added in !members.contains { $0.key == added.key } }
    let lines = members.map {
      "    ".utf8 + RemoteConfiguration.quoted($0.key) + ": ".utf8 + $0.value
    }
    return Array("{\n".utf8) + Array(lines.joined(separator: ",\n".utf8)) + "\n  }".utf8
  }

  /// `nil` where the alerts do not change.
  private func edited(
    _ old: [RemoteConfiguration.Alert]
  ) throws(RemoteConfigurationError) -> [RemoteConfiguration.Alert]? {
    guard !alerts.isEmpty || !removedAlerts.isEmpty else { return nil }
    var edited = old
    for name in removedAlerts {
      let count = edited.count
      edited.removeAll { name == "*" || $0.languageName == name }
      guard edited.count < count || name == "*" else {
        throw RemoteConfigurationError("no alert is for \(name)", at: "appUpdate.localizedStrings")
      }
    }
    for alert in alerts {
      if let index = edited.firstIndex(where: { $0.languageName == alert.languageName }) {
        edited[index] = alert
      } else {
        edited.append(alert)
      }
    }
    return edited
  }

  private static func list(_ texts: [String]) -> [UInt8] {
    Array("[".utf8) + texts.map(RemoteConfiguration.quoted).joined(separator: ", ".utf8) + "]".utf8
  }

  private static func written(_ alerts: [RemoteConfiguration.Alert]) -> [UInt8] {
    var lines: [[UInt8]] = []
    for alert in alerts {
      var writer = JSONWriter()
      writer.beginObject()
      writer.member("languageCode", alert.language)
      writer.member("regionCode", alert.region)
      writer.member("title", alert.title)
      writer.member("text", alert.text)
      writer.key("options")
      writer.beginArray()
      for option in alert.options {
        writer.beginObject()
        writer.member("title", option.title)
        if option.isUpdate { writer.member("isUpdateAction", true) }
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
      lines.append("      ".utf8 + writer.takeBytes())
    }
    guard !lines.isEmpty else { return Array("[]".utf8) }
    return Array("[\n".utf8) + lines.joined(separator: ",\n".utf8) + "\n    ]".utf8
  }
}

extension RemoteConfiguration.Alert {
  /// `de`, `en-US`; `any` for one without a language.
  public var languageName: String {
    guard let language else { return "any" }
    return region.map { "\(language)-\($0)" } ?? language
  }

  /// Reads `de: Title | Text | Later | Update`: the last option leads to the update, `\|` is a bar.
  /// - Returns: `nil` for a text in another format.
  /// - Returns: `nil` for a text of another form.
  public init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let name = text[..<colon].split(separator: "-", omittingEmptySubsequences: false).map(
      String.init)
    var parts = [""]
    var isEscaped = false
    for character in text[text.index(after: colon)...] {
      if isEscaped {
        parts[parts.count - 1] += character == "|" ? "|" : "\\\(character)"
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "|" {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    if isEscaped { parts[parts.count - 1] += "\\" }
    let trimmed = parts.map(Self.trimmed)
    guard (1...2).contains(name.count), trimmed.count >= 3, !trimmed.contains("") else {
      return nil
    }
    let buttons = trimmed[2...]
    self.init(
      language: name[0] == "any" ? nil : name[0], region: name.count > 1 ? name[1] : nil,
      title: trimmed[0], text: trimmed[1],
      options: buttons.dropLast().map { Option($0) } + [Option(buttons.last ?? "", isUpdate: true)])
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
