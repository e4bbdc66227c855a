/** Reports an error of the callback as the browser does for its own events: whoever calls goes on. */
export function reporting<T>(callback: (value: T) => void): (value: T) => void {
  return (value) => {
    try {
      callback(value);
    } catch (error) {
      reportError(error);
    }
  };
}
