internal import CrashService
internal import Crypto
internal import HTTP
internal import ServerCore
internal import ServerStore

/// Checks the password of an account.
///
/// For accounts that do not exist or have no password, time, result and counting are the same.
struct PasswordCheck {
  enum CheckOutcome {
    /// The password is correct; the account's name, spelled as it was created.
    case right(String)
    case wrong
    /// Too many attempts failed; the seconds to wait.
    case wait(Int)
    /// Too many other passwords are being checked.
    case busy
  }

  let context: ServerContext
  let head: RequestHead

  func outcome(of password: String, for name: String) throws -> CheckOutcome {
    // A text that can't be an account's name takes no space in memory.
    let isName = name.utf8.count <= Account.longestName
    let key = isName ? Account.id(of: name) : ""
    if let wait = context.signInLimits.take(key, from: head.network) {
      return .wait(wait)
    }
    let stored = isName ? try context.accounts.password(of: name) : nil
    guard let hash = stored?.hash.map({ PasswordHash($0) }) ?? .ofNothing else {
      throw PasswordError.damaged
    }
    let isRight: Bool
    do {
      isRight = try context.passwords.hash { try hash.matches(password) }
    } catch PasswordError.busy {
      // Nothing was checked: a flood must not use up the owner's attempts.
      context.signInLimits.succeeded(key, from: head.network)
      return .busy
    }
    guard isRight, let stored else {
      try context.audit.noteRefused(
        "wrong password", of: stored?.name ?? "", peer: head.peer, now: .now)
      return .wrong
    }
    context.signInLimits.succeeded(key, from: head.network)
    return .right(stored.name)
  }

  /// Hashes a new password; `nil` if too many others are being hashed.
  static func hash(_ password: String, in context: ServerContext) throws -> PasswordHash? {
    do {
      return try context.passwords.hash { try PasswordHash(of: password) }
    } catch PasswordError.busy {
      return nil
    }
  }
}
