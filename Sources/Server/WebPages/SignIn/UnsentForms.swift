internal import Files
internal import HTTP
internal import Rendering
internal import ServerCore
internal import ServerStore
internal import Synchronization

/// Forms that came after the session had ended. They wait, in memory, until the visitor has signed in again, and
/// are then shown with what was typed; nothing is sent by itself.
///
/// A form belongs to the browser that sent it: a cookie holds its key. Without room, or after a restart of the
/// server, what was typed is lost, as it is without this.
final class UnsentForms: Sendable {
  /// A form with the page that shows it.
  struct Form: Sendable {
    let request: Request
    let fields: QueryItems
    /// The scope that an account needs for the form, and therefore to see its page.
    let scope: TokenScope
    let page: PageSite.Handler
  }

  private struct Entry {
    let form: Form
    let expires: Double
  }

  /// The maximum size of a form in bytes.
  static let longest: UInt64 = 65_536
  /// Seconds for which a form waits.
  static let patience = 1_800
  /// The maximum number of forms; a new one replaces the oldest.
  private static let most = 64
  /// Fields that are not kept, because they are secret.
  private static let secrets: Set<String> = [
    "password", "new", "again", "current", "url", "secret",
  ]

  private let entries = Mutex<[String: Entry]>([:])

  /// Whether the body of a form without a session is read.
  static func mayHold(_ head: RequestHead) -> Bool {
    guard let length = head.contentLength, length > 0, length <= longest else { return false }
    return head.contentType == "application/x-www-form-urlencoded" && !head.isForeign
  }

  /// - Returns: The key of the form; `nil` if it has nothing to keep.
  func hold(_ form: Form) -> String? {
    let fields = form.fields.items.filter { $0.name != "form" }
    guard form.fields["form"]?.isEmpty == false, fields.contains(where: { !$0.value.isEmpty }),
      !fields.contains(where: { Self.secrets.contains($0.name) })
    else { return nil }
    let key = RandomBytes.hex(Self.keyLength)
    let now = SteadyClock.seconds
    entries.withLock { entries in
      entries = entries.filter { $0.value.expires > now }
      if entries.count >= Self.most,
        let oldest = entries.min(by: { $0.value.expires < $1.value.expires })
      {
        entries[oldest.key] = nil
      }
      entries[key] = Entry(form: form, expires: now + Double(Self.patience))
    }
    return key
  }

  /// Takes a form out; `nil` if it is unknown or waited for too long.
  func take(_ key: String) -> Form? {
    let entry = entries.withLock { $0.removeValue(forKey: key) }
    return entry.flatMap { $0.expires > SteadyClock.seconds ? $0.form : nil }
  }

  /// In bytes.
  private static let keyLength = 32
}
