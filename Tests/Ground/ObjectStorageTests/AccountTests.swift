import Bytes
import Glibc
import HTTPClient
import Identifiers
import Synchronization
import TestSupport
import Testing

@testable import ObjectStorage

private typealias Reply = ScriptedServer.Reply

@Suite("Accounts and credentials") struct AccountTests {
  private let folder = ScratchFolder()

  /// An environment without the machine's files and services.
  private func environment(_ more: [String: String] = [:]) -> [String: String] {
    ["HOME": folder.path, "AWS_EC2_METADATA_DISABLED": "true"].merging(more) { $1 }
  }

  private func account(_ more: [String: String]) throws -> ObjectStorageAccount {
    try ObjectStorageAccount(environment: environment(more), agent: "tests")
  }

  private func credentials(_ more: [String: String]) throws -> ObjectCredentials {
    try #require(try account(more).credentials).credentials()
  }

  @Test("Variables come first")
  func variables() throws {
    folder.write(".aws/credentials", "[default]\naws_access_key_id=F\naws_secret_access_key=G".utf8)
    let found = try credentials([
      "AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "B", "AWS_SESSION_TOKEN": "C",
    ])
    #expect(found.accessKeyID == "A")
    #expect(found.secretAccessKey.text == "B")
    #expect(found.sessionToken?.text == "C")
    #expect(found.source == "the environment")
    let account = try account([
      "AWS_REGION": "eu-west-1", "AWS_DEFAULT_REGION": "eu-west-2",
      "AWS_ENDPOINT_URL": "http://a:1", "AWS_ENDPOINT_URL_S3": "https://B:443/base/",
      "AWS_CA_BUNDLE": "/ca.pem",
    ])
    #expect(account.region == "eu-west-1")
    #expect(account.endpoint?.origin == "https://b")
    #expect(account.endpoint?.base == "/base")
    #expect(account.authorities == "/ca.pem")
    // No try would find the file.
    let store = ObjectStore(account, agent: "tests")
    #expect(
      Fixture.error { _ = try store.head(Fixture.object) }?.reason.contains("/ca.pem") == true)
    #expect(try self.account(["AWS_NO_SIGN_REQUEST": "YES"]).credentials == nil)
  }

  @Test("Then the profile in the shared files")
  func profiles() throws {
    folder.write(
      ".aws/credentials",
      """
      # comment
      [default]
      aws_access_key_id = D
      aws_secret_access_key = E
      [work]
      aws_access_key_id = W
      aws_secret_access_key = X/+=
      aws_session_token = Y
      [half]
      aws_access_key_id = W
      """.utf8)
    folder.write(
      ".aws/config",
      """
      [default]
      region = eu-north-1
      s3 =
        addressing_style = path
      [profile work]
      region = eu-south-1
      endpoint_url = http://minio:9000
      [profile sso]
      sso_session = mine
      """.utf8)
    #expect(try credentials([:]).accessKeyID == "D")
    #expect(try account([:]).region == "eu-north-1")
    let work = try credentials(["AWS_PROFILE": "work"])
    #expect(work.secretAccessKey.text == "X/+=")
    #expect(work.sessionToken?.text == "Y")
    #expect(try account(["AWS_PROFILE": "work"]).endpoint?.origin == "http://minio:9000")
    #expect(
      Fixture.error { _ = try credentials(["AWS_PROFILE": "half"]) }?.kind == .configuration)
    #expect(
      Fixture.error { _ = try account(["AWS_PROFILE": "none"]) }?.reason.contains("none") == true)
    #expect(
      Fixture.error { _ = try credentials(["AWS_PROFILE": "sso"]) }?.advice?
        .contains("sso_session is not supported") == true)
    let other = folder.write(
      "other", "[default]\naws_access_key_id=O\naws_secret_access_key=P".utf8)
    #expect(try credentials(["AWS_SHARED_CREDENTIALS_FILE": other]).accessKeyID == "O")
    let broken = folder.write("broken", "[default]\nnonsense".utf8)
    #expect(
      Fixture.error { _ = try account(["AWS_CONFIG_FILE": broken]) }?.description.contains(
        "broken:2") == true)
  }

  @Test("Then the container's service, with its token")
  func container() throws {
    let server = ScriptedServer { request in
      request.headers["authorization"] == "from file"
        ? Reply(
          200,
          body: Array(
            (#"{"AccessKeyId":"K","SecretAccessKey":"S","Token":"T","#
              + #""Expiration":"2999-01-01T00:00:00Z"}"#).utf8))
        : Reply(403)
    }
    let token = folder.write("token", "from file\n".utf8)
    let uri = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(server.origin)/credentials?x=1"]
    let found = try credentials(
      uri.merging(["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": token]) { $1 })
    #expect(found.accessKeyID == "K")
    #expect(found.sessionToken?.text == "T")
    #expect(server.requests.map(\.target) == ["/credentials?x=1"])
    let refused = Fixture.error {
      _ = try credentials(uri.merging(["AWS_CONTAINER_AUTHORIZATION_TOKEN": "secret"]) { $1 })
    }
    #expect(refused?.description.contains("403") == true)
    #expect(refused?.description.contains("secret") == false)
    for wrong in ["http://example.org/", "http://127.0.0.1.evil.org/", "ftp://127.0.0.1/"] {
      #expect(
        Fixture.error {
          _ = try credentials(["AWS_CONTAINER_CREDENTIALS_FULL_URI": wrong])
        }?.kind == .configuration)
    }
    #expect(
      Fixture.error {
        _ = try credentials(
          uri.merging(["AWS_CONTAINER_AUTHORIZATION_TOKEN": "a\r\nb: c"]) { $1 })
      }?.kind == .configuration)
  }

  @Test("A role for the token of a cluster")
  func webIdentity() throws {
    let server = ScriptedServer { request in
      let form = String(decoding: request.body, as: UTF8.self)
      return form.contains("WebIdentityToken=secret.%2B") && form.contains("RoleArn=arn%3Aaws")
        ? Reply(
          200,
          body: Array(
            ("<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>"
              + "<AccessKeyId>W</AccessKeyId><SecretAccessKey>S</SecretAccessKey>"
              + "<SessionToken>T</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration>"
              + "</Credentials></AssumeRoleWithWebIdentityResult>"
              + "</AssumeRoleWithWebIdentityResponse>").utf8)) : Reply(403)
    }
    var variables = [
      "AWS_WEB_IDENTITY_TOKEN_FILE": folder.write("token", "secret.+\n".utf8),
      "AWS_ROLE_ARN": "arn:aws:iam::1:role/a", "AWS_ENDPOINT_URL_STS": server.origin,
    ]
    let found = try credentials(variables)
    #expect(found.accessKeyID == "W")
    #expect(found.sessionToken?.text == "T")
    #expect(found.expiry?.date.year == 2999)
    variables["AWS_ROLE_ARN"] = "other"
    let error = Fixture.error { _ = try credentials(variables) }
    #expect(error?.kind == .notAllowed)
    #expect(error?.description.contains("secret") == false)
  }

  @Test(
    "Buckets are part of the host where a certificate allows it, otherwise of the path",
    arguments: [
      (
        "s3://bucket/a b", "eu-central-1", nil, "https://bucket.s3.eu-central-1.amazonaws.com/a%20b"
      ),
      ("s3://a.b/../c", "us-east-1", nil, "https://s3.us-east-1.amazonaws.com/a.b/../c"),
      ("s3://Old_One/c", "us-east-1", nil, "https://s3.us-east-1.amazonaws.com/Old_One/c"),
      ("s3://bucket//c", "cn-north-1", nil, "https://bucket.s3.cn-north-1.amazonaws.com.cn//c"),
      ("s3://bucket/c", "us-east-1", "http://Host:9000/base", "http://host:9000/base/bucket/c"),
      ("s3://bucket/c", "us-east-1", "https://[::1]:443", "https://[::1]/bucket/c"),
    ])
  func addressing(text: String, region: String, endpoint: String?, url: String) throws {
    let account = try ObjectStorageAccount(
      credentials: Fixture.credentials, region: region, endpoint: endpoint)
    let store = ObjectStore(account, agent: "tests")
    let request = try store.request(
      ObjectStore.Call("GET", Fixture.address(text)), Fixture.credentials, region)
    #expect(request.url == url)
    let host = url.split(separator: "/")[1]
    #expect(request.headers.first == "Host: \(host)")
  }

  @Test("Then the instance's service, version 2")
  func instance() throws {
    let server = ScriptedServer { request in
      let token = request.headers["x-aws-ec2-metadata-token"]
      switch (request.method, request.target) {
      case ("PUT", "/latest/api/token"): return Reply(200, body: Array("tok==".utf8))
      case ("GET", "/latest/meta-data/iam/security-credentials/") where token == "tok==":
        return Reply(200, body: Array("role/1".utf8))
      case ("GET", "/latest/meta-data/iam/security-credentials/role%2F1") where token == "tok==":
        return Reply(
          200,
          body: Array(
            #"{"Code":"Success","AccessKeyId":"I","SecretAccessKey":"S","Token":"T"}"#.utf8))
      default: return Reply(401)
      }
    }
    let variables = [
      "AWS_EC2_METADATA_DISABLED": "false",
      "AWS_EC2_METADATA_SERVICE_ENDPOINT": server.origin + "/",
      "http_proxy": "http://127.0.0.1:1",
    ]
    #expect(try credentials(variables).accessKeyID == "I")
    let silent = ScriptedServer { _ in Reply(raw: []).stalling(20) }
    let error = Fixture.error {
      _ = try credentials(
        variables.merging(["AWS_EC2_METADATA_SERVICE_ENDPOINT": silent.origin]) { $1 })
    }
    #expect(error?.description.contains("no AWS credentials; looked at: AWS_ACCESS_KEY_ID") == true)
    #expect(error?.description.contains("metadata service (") == true)
  }

  @Test("Hostile answers of the services are errors")
  func hostile() throws {
    let answers = [
      "", "{", "[]", #"{"AccessKeyId":1}"#, #"{"AccessKeyId":"a\nb","SecretAccessKey":"c"}"#,
    ]
    for answer in answers + [String(repeating: "[", count: 100_000)] {
      let server = ScriptedServer { _ in Reply(200, body: Array(answer.utf8)) }
      let error = Fixture.error {
        _ = try credentials(["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.origin])
      }
      #expect(error != nil)
    }
  }

  @Test("No secret appears in a description, a dump or an error")
  func secrets() throws {
    let found = ObjectCredentials(
      accessKeyID: "A", secretAccessKey: "hidden1", sessionToken: "hidden2")
    var text = "\(found) \(String(reflecting: found)) "
    dump(found, to: &text)
    #expect(!text.contains("hidden"))
    #expect(
      Fixture.error {
        _ = try credentials(["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "hidden\n"])
      }?.description.contains("hidden") == false)
    #expect(Fixture.error { _ = try credentials(["AWS_ACCESS_KEY_ID": "A"]) } != nil)
    for endpoint in ["user:hidden@host", "http://user:hidden@host", "http://a b", "http://", "x:"] {
      let error = Fixture.error { _ = try account(["AWS_ENDPOINT_URL": endpoint]) }
      #expect(error?.kind == .configuration)
      #expect(error?.description.contains("hidden") == false)
    }
    #expect(
      Fixture.error { _ = try account(["AWS_REGION": "a.evil.org/"]) }?.kind == .configuration)
  }

  @Test("Credentials are renewed before they expire, and kept where that fails")
  func renewal() throws {
    let now = Int64(Glibc.time(nil))
    let left = Mutex<[Int64?]>([300, 3600, nil])
    let source = CredentialSource { () throws(ObjectStorageError) in
      guard let seconds = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
        throw ObjectStorageError(.unreachable, "", "none")
      }
      return ObjectCredentials(
        "left\(seconds)", "s", nil, expiry: Timestamp(seconds: now + seconds), source: "test")
    }
    #expect(try source.credentials().accessKeyID == "left300")
    #expect(try source.credentials().accessKeyID == "left3600")
    #expect(try source.credentials().accessKeyID == "left3600")
    source.forget(try source.credentials())
    #expect(Fixture.error { _ = try source.credentials() }?.kind == .unreachable)

    left.withLock { $0 = [300, nil] }
    let short = CredentialSource { () throws(ObjectStorageError) in
      guard let seconds = left.withLock({ $0.removeFirst() }) else {
        throw ObjectStorageError(.unreachable, "", "none")
      }
      return ObjectCredentials(
        "a", "s", nil, expiry: Timestamp(seconds: now + seconds), source: "test")
    }
    for _ in 0..<3 { #expect(try short.credentials().accessKeyID == "a") }
  }

  @Test("Credentials that the server calls expired are found anew, once")
  func expired() throws {
    let path = folder.write(
      ".aws/credentials", "[default]\naws_access_key_id=OLD\naws_secret_access_key=S".utf8)
    let server = ScriptedServer { [folder] request in
      guard request.headers["authorization"]?.contains("Credential=NEW/") != true else {
        return Reply(200, body: [1])
      }
      if request.target.hasSuffix("renewed") {
        folder.write(
          ".aws/credentials", "[default]\naws_access_key_id=NEW\naws_secret_access_key=S".utf8)
      }
      return Reply(400, body: Fixture.document("ExpiredToken"))
    }
    let store = ObjectStore(
      try account(["AWS_ENDPOINT_URL": server.origin]), agent: "tests", plan: Fixture.plan())
    let error = Fixture.error { _ = try store.get(Fixture.address("s3://bucket/a"), limit: 1) }
    #expect(error?.advice?.contains("sign in again") == true)
    #expect(server.requests.count == 2)
    #expect(try store.get(Fixture.address("s3://bucket/renewed"), limit: 1).bytes.array == [1])
    #expect(path.hasSuffix("credentials"))
  }
}
