import Bytes
import Glibc
import HTTPClient
import ObjectStorage
import Synchronization
import TestSupport
import Testing

/// Plans and stores of the tests.
enum Fixture {
  static let credentials = ObjectCredentials(
    accessKeyID: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")

  /// Tries that follow each other at once.
  static func plan(tries: Int = 3) -> RetryPlan {
    var plan = RetryPlan()
    plan.tries = tries
    plan.first = 0.01
    plan.longest = 0.02
    return plan
  }

  static func store(
    at endpoint: String, credentials: ObjectCredentials? = credentials, tries: Int = 3,
    limits: ObjectStoreLimits = ObjectStoreLimits()
  ) throws -> ObjectStore {
    ObjectStore(
      try ObjectStorageAccount(credentials: credentials, endpoint: endpoint), agent: "tests",
      plan: plan(tries: tries), limits: limits)
  }

  static func store(
    _ server: ScriptedServer, tries: Int = 3, limits: ObjectStoreLimits = ObjectStoreLimits()
  ) throws -> ObjectStore {
    try store(at: server.origin, tries: tries, limits: limits)
  }

  static let object = address("s3://bucket/dumps/a.dmp")

  static func address(_ text: String) -> ObjectAddress {
    do {
      return try ObjectAddress(parsing: text)
    } catch {
      fatalError("\(error)")
    }
  }

  static func error(_ body: () throws -> Void) -> ObjectStorageError? {
    do {
      try body()
      return nil
    } catch {
      return error as? ObjectStorageError
    }
  }

  static func document(_ code: String, _ message: String = "words", more: String = "") -> [UInt8] {
    Array(
      ("<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>\(code)</Code>"
        + "<Message>\(message)</Message>\(more)</Error>").utf8)
  }
}

/// moto as an S3 server that checks signatures.
final class MotoServer: Sendable {
  let endpoint: String
  let credentials: ObjectCredentials
  private let process: pid_t

  /// The Python of `scripts/ci/venv s3`, where it is installed.
  static let python: String? = {
    let path = "\(Samples.root)/.build/venv-s3/bin/python"
    return access(path, X_OK) == 0 ? path : nil
  }()
  static let absence: Comment = "moto is not installed: scripts/ci/venv s3"

  /// One for all tests: it takes seconds to start.
  static let shared = MotoServer()

  private init() {
    let script = "\(Samples.root)/scripts/oracles/s3-server.py"
    guard let stream = popen("exec \(Self.python ?? "python3") \(script) bucket paging", "r") else {
      fatalError("moto does not start")
    }
    var line = [CChar](repeating: 0, count: 400)
    fgets(&line, 400, stream)
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count == 4, let process = pid_t(words[0]) else { fatalError("moto: \(text)") }
    self.process = process
    endpoint = "http://127.0.0.1:\(words[1])"
    credentials = ObjectCredentials(accessKeyID: words[2], secretAccessKey: words[3])
  }

  func store(limits: ObjectStoreLimits = ObjectStoreLimits()) throws -> ObjectStore {
    try Fixture.store(at: endpoint, credentials: credentials, limits: limits)
  }
}
