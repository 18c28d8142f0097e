internal import Bytes
internal import Files

/// Leases as locked files in the folder of a home.
///
///     contents.lock                 the contents
///     redo.lock                     reprocessing
///     uploads/<id>/turn             receiving an upload
///     uploads/<id>/work             storing an upload
///     intake/worker-<pid>-<digits>  a worker; servers have server-
public struct FolderLeases: Leases {
  private let home: String

  public init(of home: String) { self.home = home }

  private var processes: String { home + "/intake" }

  private func path(of name: LeaseName) -> String {
    switch name {
    case .contents: home + "/contents.lock"
    case .reprocessing: home + "/redo.lock"
    case .receiving(let upload): "\(home)/uploads/\(upload)/turn"
    case .storing(let upload): "\(home)/uploads/\(upload)/work"
    }
  }

  public func take(_ name: LeaseName, isShared: Bool, waits: Bool) throws -> (any Lease)? {
    try LockFile(path(of: name), isShared ? .shared : .exclusive, waits: waits)
  }

  public func join(as role: LeaseRole) throws -> any RoleLease {
    try ProcessName(role.prefix, in: processes)
  }

  public func isAlive(_ name: String, as role: LeaseRole) throws -> Bool {
    guard name.hasPrefix(role.prefix), !name.utf8.contains(UInt8(ascii: "/")) else { return false }
    return try ProcessName.isHeld(name, in: processes)
  }

  public func count(of role: LeaseRole) throws -> Int {
    try ProcessName.heldCount(role.prefix, in: processes)
  }
}

extension LeaseRole {
  fileprivate var prefix: String {
    switch self {
    case .worker: "worker-"
    case .server: "server-"
    }
  }
}

extension LockFile: Lease {}
