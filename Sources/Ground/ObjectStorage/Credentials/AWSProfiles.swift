internal import Bytes
internal import INI

/// The shared files of the AWS tools: `credentials`, and `config`, where profiles are named `[profile NAME]`.
///
/// Source: AWS SDKs and Tools Reference Guide, "Shared config and credentials files".
struct AWSProfiles: Sendable {
  /// The profile in use.
  let profile: String
  let credentialsPath: String?
  let configPath: String?
  private let values: [String: String]

  private static let longestFile = 1 << 20

  /// - Throws: ``ObjectStorageError`` where a file is there and cannot be read, or a named one is missing.
  init(_ environment: AWSEnvironment) throws(ObjectStorageError) {
    let home = environment["HOME"]
    profile = environment["AWS_PROFILE"] ?? environment["AWS_DEFAULT_PROFILE"] ?? "default"
    let named = (
      environment["AWS_SHARED_CREDENTIALS_FILE"], environment["AWS_CONFIG_FILE"]
    )
    func path(_ named: String?, _ name: String) -> String? {
      guard let named else { return home.map { "\($0)/.aws/\(name)" } }
      guard named.hasPrefix("~/"), let home else { return named }
      return home + named.dropFirst()
    }
    credentialsPath = path(named.0, "credentials")
    configPath = path(named.1, "config")
    var values: [String: String] = [:]
    let sections = profile == "default" ? ["default", "profile default"] : ["profile \(profile)"]
    for (path, sections) in [(configPath, sections), (credentialsPath, [profile])] {
      guard let path else { continue }
      for (name, value) in try Self.values(of: path, in: sections) { values[name] = value }
    }
    self.values = values
    if environment["AWS_PROFILE"] != nil || environment["AWS_DEFAULT_PROFILE"] != nil,
      values.isEmpty, environment["AWS_ACCESS_KEY_ID"] == nil
    {
      throw ObjectStorageError(
        .configuration, "",
        "the profile \(profile) of AWS_PROFILE is in none of "
          + [configPath, credentialsPath].compactMap { $0 }.joined(separator: ", "))
    }
  }

  /// A setting of the profile; that of `credentials` where both files have it.
  subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Settings by which other programs would be asked for credentials.
  var unsupported: String? {
    ["role_arn", "credential_process", "sso_session", "sso_account_id", "login_session"]
      .first { values[$0] != nil }
  }

  private static func values(
    of path: String, in sections: [String]
  ) throws(ObjectStorageError) -> [String: String] {
    let bytes: ByteView
    do throws(FileError) {
      bytes = try ByteView(reading: path, limit: longestFile)
    } catch {
      guard error.failureKind == .notFound else {
        throw ObjectStorageError(.local, "", error.description)
      }
      return [:]
    }
    do throws(INIError) {
      var values: [String: String] = [:]
      for entry in try INIFile(parsing: bytes).entries where sections.contains(entry.section) {
        values[entry.name.lowercased()] = entry.value
      }
      return values
    } catch {
      throw ObjectStorageError(.configuration, "", "\(path):\(error.line): \(error.reason)")
    }
  }
}

/// Variables of the environment. An empty one is not set.
struct AWSEnvironment: Sendable {
  private let variables: [String: String]

  init(_ variables: [String: String]) { self.variables = variables.filter { !$0.value.isEmpty } }

  subscript(name: String) -> String? { variables[name] }

  /// Whether a variable says yes.
  func isOn(_ name: String) -> Bool {
    ["1", "true", "yes", "on"].contains(variables[name]?.lowercased() ?? "")
  }
}
