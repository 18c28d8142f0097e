// Crashes below closures and iterators.
use std::env;
use std::thread;

#[inline(never)]
fn deep(n: u32, how: &str) -> u32 {
    if n == 0 {
        return match how {
            "abort" => std::process::abort(),
            _ => unsafe { std::ptr::read_volatile(std::ptr::null::<u32>().wrapping_add(2)) },
        };
    }
    (0..2).map(|i| deep(n - 1, how) + i).sum()
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let how = arguments.get(2).cloned().unwrap_or_default();
    if arguments.get(1).map(String::as_str) == Some("thread") {
        let code = thread::spawn(move || deep(5, &how)).join().unwrap_or(1);
        std::process::exit(code as i32);
    }
    std::process::exit(deep(5, &how) as i32);
}
