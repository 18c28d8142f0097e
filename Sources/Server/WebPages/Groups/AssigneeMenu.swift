internal import Rendering
internal import ServerCore
internal import ServerStore

/// A menu of the accounts to whom groups can be assigned.
struct AssigneeMenu {
  /// The names, the visitor's first.
  private let names: [String]
  private let chosen: String?

  /// - Parameters:
  ///   - apps: The apps of the groups: an account that may not see them is left out. Empty for all apps.
  ///   - chosen: The current assignee, who may have no account.
  init(for call: PageCall, apps: Set<String>, chosen: String? = nil) throws {
    let me = call.visitor.account
    let accounts = try call.context.accounts.all().filter { account in
      guard let app = account.app else { return true }
      // A visitor of one app must not learn who works on others.
      if let mine = me.app, mine != app { return false }
      return apps.isEmpty || apps == [app]
    }
    var names = [me.name] + accounts.map(\.name).filter { $0 != me.name }
    if let chosen, !names.contains(chosen) { names.append(chosen) }
    self.names = names
    self.chosen = chosen ?? me.name
  }

  func markup() -> HTML {
    let options = names.map { name -> HTML in
      let mark: HTML = name == chosen ? " selected" : .none
      return "<option\(mark)>\(name)</option>"
    }
    return "<select name=\"to\">\(options)</select>"
  }
}
