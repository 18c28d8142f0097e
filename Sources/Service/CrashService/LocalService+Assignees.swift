internal import Bytes
internal import CrashStore
internal import ServerStore
internal import Spelling
internal import TriageModel

extension LocalService {
  /// Returns the spelling of an assignee as its account has it.
  ///
  /// A home without accounts, or with only the admin of a server's first start, accepts any name. The current
  /// assignee of the groups is accepted, too. Accounts that may not see the groups are unknown.
  ///
  /// - Throws: `ServiceError` with the nearest name if there are accounts, but none of that name.
  func knownAssignee(_ name: String, of groups: [String]) throws -> String {
    guard try ServerStore.exists(in: home) else { return name }
    let table = AccountsTable(in: try ServerStore(opening: home))
    let all = try table.all()
    let found = try groups.map { id in try naming(id) { try $0.groups.get(id) } }
    let accounts = all.filter { account in
      account.app.map { app in found.allSatisfy { $0.app == app } } ?? true
    }
    if let account = accounts.first(where: { $0.isCalled(name) }) { return account.name }
    if found.allSatisfy({ $0.assignee == name }) { return name }
    guard try table.hasAddedAccounts() else { return name }
    let names = accounts.map(\.name)
    let known = names.prefix(Self.mostNames).map(\.printable).joined(separator: ", ")
    let more =
      names.count > Self.mostNames ? " and \(names.count - Self.mostNames) more" : ""
    let near = Suggestion.nearest(to: name.lowercased(), among: names.map { $0.lowercased() })
    let hint =
      names.first { $0.lowercased() == near }.map { "did you mean \($0.printable)?" }
      ?? (names.isEmpty ? "none may see the group" : "the accounts are \(known)\(more)")
    throw ServiceError("there is no account named \(name.printable); \(hint)", .notFound)
  }

  /// The number of accounts that an error names.
  private static let mostNames = 8
}
