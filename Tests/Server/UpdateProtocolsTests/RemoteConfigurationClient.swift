import Bytes
import JSON

/// The behaviour of an app with the RemoteConfiguration library: the library's rules, implemented a second
/// time, sharing no code with the server.
///
/// Source: cellular/remoteconfiguration-swift, UpdateContext.swift, UpdateAlert.swift, Manager.swift,
/// DefaultUpdateHandler.swift.
struct RemoteConfigurationClient {
  var language = "en"
  var region = "US"
  var system = "17.2.0"
  /// The version whose alert the user closed.
  var dismissed: String?
  /// The last document that could be decoded.
  var cached: [UInt8]?

  enum Outcome: Equatable {
    /// Nothing is shown.
    case nothing
    /// An alert, with the titles of its buttons.
    case alert(title: String, buttons: [String], opens: String)
    /// The document cannot be decoded: the app gets an error, and has no configuration.
    case error
    /// The request failed, and there is no earlier document.
    case unreachable
  }

  private struct Undecodable: Error {}

  /// - Parameters:
  ///   - status: `nil` for a request that failed.
  mutating func receive(_ status: Int?, _ body: [UInt8]) -> Outcome {
    guard let status, (200...299).contains(status) else {
      guard let cached else { return .unreachable }
      return (try? act(on: cached)) ?? .error
    }
    guard let outcome = try? act(on: body) else { return .error }
    cached = body
    return outcome
  }

  private mutating func act(on body: [UInt8]) throws -> Outcome {
    guard let parse = try? JSONDocument.parse(ByteView(body)), parse.cut == nil else {
      throw Undecodable()
    }
    let update = try Self.required(parse.value, "appUpdate")
    let url = try Self.text(update, "url")
    let version = try Self.text(update, "availableVersion")
    let kind = try Self.word(update, "type", ["ignore", "recommended", "mandatory", "discarded"])
    let frequency = try Self.word(update, "frequency", ["always", "once"])
    let ignored = try Self.list(update, "ignoredOSVersions").map { version in
      guard let text = version.string else { throw Undecodable() }
      return text
    }
    let alerts = try Self.list(update, "localizedStrings").filter { !$0.isNull }.map(Alert.init)
    let isDismissed = kind == "recommended" && frequency == "once" && version == dismissed
    if !isDismissed { dismissed = nil }
    guard kind == "recommended" || kind == "mandatory" else { return .nothing }
    guard let alert = chosen(of: alerts), let action = alert.options.first(where: \.isUpdate) else {
      throw Undecodable()
    }
    if isDismissed { return .nothing }
    if kind == "mandatory" {
      // Since 8.0.4.
      if ignored.contains(where: system.hasPrefix) { return .nothing }
      return .alert(title: alert.title, buttons: [action.title], opens: url)
    }
    return .alert(title: alert.title, buttons: alert.options.map(\.title), opens: url)
  }

  /// The alert of language and region. Default: the last of the language, or otherwise the first.
  private func chosen(of alerts: [Alert]) -> Alert? {
    var best: Alert?
    for alert in alerts where alert.language == language {
      if alert.region == region { return alert }
      best = alert
    }
    return best ?? alerts.first
  }

  private struct Alert {
    let language: String?
    let region: String?
    let title: String
    let options: [(title: String, isUpdate: Bool)]

    init(_ value: JSONValue) throws {
      language = try RemoteConfigurationClient.optionalText(value, "languageCode")
      region = try RemoteConfigurationClient.optionalText(value, "regionCode")
      title = try RemoteConfigurationClient.text(value, "title")
      _ = try RemoteConfigurationClient.text(value, "text")
      guard let list = value["options"]?.array else { throw Undecodable() }
      options = try list.map { option in
        var isUpdate = false
        if let flag = option["isUpdateAction"], !flag.isNull {
          guard let flag = flag.bool else { throw Undecodable() }
          isUpdate = flag
        }
        return (try RemoteConfigurationClient.text(option, "title"), isUpdate)
      }
    }
  }

  private static func required(_ value: JSONValue, _ key: String) throws -> JSONValue {
    guard let member = value[key], member.object != nil else { throw Undecodable() }
    return member
  }

  private static func text(_ value: JSONValue, _ key: String) throws -> String {
    guard let text = value[key]?.string else { throw Undecodable() }
    return text
  }

  private static func optionalText(_ value: JSONValue, _ key: String) throws -> String? {
    guard let member = value[key], !member.isNull else { return nil }
    guard let text = member.string else { throw Undecodable() }
    return text
  }

  /// The first word counts if there is none.
  private static func word(_ value: JSONValue, _ key: String, _ words: [String]) throws -> String {
    let word = try optionalText(value, key) ?? words[0]
    guard words.contains(word) else { throw Undecodable() }
    return word
  }

  private static func list(_ value: JSONValue, _ key: String) throws -> [JSONValue] {
    guard let member = value[key], !member.isNull else { return [] }
    guard let list = member.array else { throw Undecodable() }
    return list
  }
}
