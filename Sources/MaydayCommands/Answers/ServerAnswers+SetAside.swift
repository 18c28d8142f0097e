import Bytes
import CrashModel
import JSON
import ServerStore

/// What a server could not file, by its API.
extension ServerAnswers {
  func setAside() throws -> [SetAsideRecord] {
    var records: [SetAsideRecord] = []
    while true {
      let page = try setAside(after: records.last?.id ?? 0)
      if page.isEmpty { return records }
      records += page
    }
  }

  private func setAside(after last: Int) throws -> [SetAsideRecord] {
    try ask("GET", "/intake", [("after", String(last))]).elements { try SetAsideRecord($0) }
  }

  func setAside(_ id: Int) throws -> SetAsideRecord {
    guard id > 0, let found = try setAside(after: id - 1).first, found.id == id else {
      throw CommandFailure.notSetAside(id)
    }
    return found
  }

  func body(ofSetAside id: Int) throws -> ByteView { try bytes("GET", "/intake/\(id)/raw") }

  func retrySetAside(_ ids: [Int]?) throws -> Int {
    guard let ids else { return try ask("POST", "/intake/retry").count("retried") }
    for id in ids { _ = try setAside(id) }
    return try ids.reduce(0) { try $0 + ask("POST", "/intake/\($1)/retry").count("retried") }
  }

  func discardSetAside(_ ids: [Int]?) throws -> Int {
    for id in ids ?? [] { _ = try setAside(id) }
    let ids = try ids ?? setAside().map(\.id)
    for id in ids { _ = try bytes("DELETE", "/intake/\(id)") }
    return ids.count
  }
}

extension SetAsideRecord {
  fileprivate init(_ answer: Answered) throws {
    let facts = try answer.part("facts").value.object ?? []
    self.init(
      id: try answer.count("id"), route: try answer.text("route"),
      received: try answer.time("received"),
      facts: Dictionary(
        facts.compactMap { fact in fact.value.string.map { (fact.key, $0) } },
        uniquingKeysWith: { first, _ in first }),
      size: try answer.count("size"), attempts: try answer.count("attempts"),
      problem: try answer.text("problem"), isCounted: false)
  }
}
