internal import HTTPClient

/// The places in which credentials are looked for, in the order of the AWS tools.
struct CredentialChain: Sendable {
  private let environment: AWSEnvironment
  private let services: CredentialServices

  init(_ environment: AWSEnvironment, agent: String, authorities: String?) {
    self.environment = environment
    services = CredentialServices(
      environment, web: WebSenderPool(agent: agent, authorities: authorities))
  }

  /// - Throws: ``ObjectStorageError`` where a place is named and fails, or none has credentials.
  func find() throws(ObjectStorageError) -> ObjectCredentials {
    if let found = try inEnvironment() { return try checked(found) }
    if let found = try services.byWebIdentity() { return try checked(found) }
    let profiles = try AWSProfiles(environment)
    if let found = try inFiles(profiles) { return try checked(found) }
    if let found = try services.inContainer() { return try checked(found) }
    var looked = [
      "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
      "the profile \(profiles.profile) in "
        + [profiles.credentialsPath, profiles.configPath].compactMap { $0 }
        .joined(separator: " and "),
      "AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN",
      "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and _FULL_URI",
    ]
    if environment.isOn("AWS_EC2_METADATA_DISABLED") {
      looked.append("not the metadata service (AWS_EC2_METADATA_DISABLED)")
    } else {
      let outcome = services.onInstance()
      if case .success(let found) = outcome { return try checked(found) }
      if case .failure(let error) = outcome {
        looked.append("the EC2 metadata service (\(error.reason))")
      }
    }
    var advice = "for public objects set AWS_NO_SIGN_REQUEST=1"
    if let other = profiles.unsupported {
      advice =
        "the profile's \(other) is not supported: run"
        + " eval \"$(aws configure export-credentials --format env)\" first"
    }
    throw ObjectStorageError(
      .notAllowed, "", "no AWS credentials; looked at: \(looked.joined(separator: ", "))",
      advice: advice)
  }

  private func checked(
    _ found: ObjectCredentials
  ) throws(ObjectStorageError) -> ObjectCredentials {
    guard found.isPrintable else {
      throw ObjectStorageError(
        .configuration, "", "the \(found) are empty or have blanks or control characters in them")
    }
    return found
  }

  private func inEnvironment() throws(ObjectStorageError) -> ObjectCredentials? {
    let pair = (environment["AWS_ACCESS_KEY_ID"], environment["AWS_SECRET_ACCESS_KEY"])
    guard let id = pair.0, let secret = pair.1 else {
      guard pair.0 == nil, pair.1 == nil else {
        throw ObjectStorageError(
          .configuration, "",
          "only one of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY is set")
      }
      return nil
    }
    return ObjectCredentials(
      id, secret, environment["AWS_SESSION_TOKEN"] ?? environment["AWS_SECURITY_TOKEN"],
      expiry: nil, source: "the environment")
  }

  private func inFiles(_ profiles: AWSProfiles) throws(ObjectStorageError) -> ObjectCredentials? {
    let pair = (profiles["aws_access_key_id"], profiles["aws_secret_access_key"])
    guard let id = pair.0, let secret = pair.1 else {
      guard pair.0 == nil, pair.1 == nil else {
        throw ObjectStorageError(
          .configuration, "",
          "the profile \(profiles.profile) has only one of aws_access_key_id and"
            + " aws_secret_access_key")
      }
      return nil
    }
    return ObjectCredentials(
      id, secret, profiles["aws_session_token"], expiry: nil,
      source: "the profile \(profiles.profile)")
  }
}
